import {
  type Inclusion,
  inclusionSchema,
  isOldEnough,
  isVoiceOpen,
  missingForChildren,
  NOT_INCLUDED,
} from "@app/shared/child-inclusive";
import { expect, test } from "vitest";

test.each([
  ["the day before", "2016-05-10", "2026-05-09", false],
  ["the day itself", "2016-05-10", "2026-05-10", true],
  ["years later", "2009-12-31", "2026-01-01", true],
  ["28 February of another year, born on 29 February", "2016-02-29", "2026-02-28", false],
  ["1 March of another year, born on 29 February", "2016-02-29", "2026-03-01", true],
  ["a day that nobody knows", "", "2026-03-01", false],
])("tenth birthday: when it is %s, then the child is asked or not yet", (_when, dateOfBirth, today, isAsked) => {
  expect(isOldEnough(dateOfBirth, today)).toBe(isAsked);
  expect(isVoiceOpen({ dateOfBirth, cim: NOT_INCLUDED }, today)).toBe(isAsked);
});

const TODAY = "2026-05-10";
const given = (partyId: string) => ({ partyId, state: "given" as const, on: "2026-05-01", how: "in_person" as const });
const held = (partyId: string, isHeld = true) => ({ partyId, isHeld });
const NOT_ASKED = { state: "" as const, on: "", how: "" as const };
const ALL = {
  ...NOT_INCLUDED,
  isOffered: true,
  responsibility: [held("p1"), held("p2"), held("p3", false)],
  parents: [given("p1"), given("p2")],
  child: { state: "given" as const, on: "2026-05-02" },
  voice: { offeredOn: "2026-05-01", outcome: "wants_to" as const },
};
const aFamily = (cim: Partial<Inclusion>, dateOfBirth = "2014-01-01") => ({
  domain: "family",
  childIds: ["leo"],
  parties: [
    { partyId: "p1", name: "Priya" },
    { partyId: "p2", name: "Owen" },
    { partyId: "p3", name: "Nan" },
  ],
  children: [
    { childId: "leo", firstName: "Leo", dateOfBirth, cim: { ...ALL, ...cim } },
    { childId: "other", firstName: "Not offered", dateOfBirth: "2019-01-01", cim: NOT_INCLUDED },
  ],
});

test("child-inclusive: when everybody with parental responsibility and the child consented, then nothing is missing", () => {
  expect(missingForChildren(aFamily({}), { today: TODAY })).toEqual([]);
  const young = { voice: NOT_INCLUDED.voice, overrideReason: "Asked to be heard, and is mature" };
  expect(missingForChildren(aFamily(young, "2017-01-01"), { today: TODAY })).toEqual([]);
});

test.each([
  [
    "nobody said whether a party has parental responsibility",
    { responsibility: [held("p1"), held("p2")] },
    "it is not recorded whether Nan has parental responsibility for Leo",
  ],
  [
    "a grandparent has it too",
    { responsibility: [held("p1"), held("p2"), held("p3")] },
    "Nan has not consented for Leo",
  ],
  [
    "no party has it, and nobody else is named",
    { responsibility: [held("p1", false), held("p2", false), held("p3", false)] },
    "nobody is recorded who has parental responsibility for Leo",
  ],
  [
    "a parent who is not a party was not asked",
    { otherParents: [{ name: "Dee Marsh", ...NOT_ASKED }] },
    "Dee Marsh has not consented for Leo",
  ],
  [
    "a parent who is not a party withdrew",
    { otherParents: [{ ...NOT_ASKED, name: "Dee Marsh", state: "withdrawn" as const, on: "2026-05-01" }] },
    "Dee Marsh withdrew consent for Leo",
  ],
  ["a parent was not asked", { parents: [given("p1")] }, "Owen has not consented for Leo"],
  [
    "a parent withdrew",
    { parents: [given("p1"), { ...given("p2"), state: "withdrawn" as const }] },
    "Owen withdrew consent for Leo",
  ],
  [
    "a consent is from before days were kept",
    { child: { state: "undated" as const, on: "" } },
    "the consent of Leo was recorded before dates were kept, so ask again",
  ],
  ["the child was not asked", { child: NOT_INCLUDED.child }, "Leo has not consented"],
  [
    "a child of ten was not offered to be heard",
    { voice: NOT_INCLUDED.voice },
    "Leo is ten or over, and it is not recorded whether they want to be heard",
  ],
  [
    "the child does not want to",
    { voice: { offeredOn: TODAY, outcome: "does_not_want" as const } },
    "Leo is not to be heard",
  ],
  ["no child is offered it", { isOffered: false }, "it is not recorded that Leo was offered to be heard"],
])("child-inclusive: when %s, then it says so", (_when, cim, missing) => {
  expect(missingForChildren(aFamily(cim), { today: TODAY })).toEqual([missing]);
});

test("child-inclusive: when only those without parental responsibility were not asked, then nothing is missing", () => {
  const otherParents = [{ name: "Dee Marsh", state: "given" as const, on: "2026-05-01", how: "in_person" as const }];
  const responsibility = [held("p1"), held("p2", false), held("p3", false)];
  expect(
    missingForChildren(aFamily({ responsibility, parents: [given("p1")], otherParents }), { today: TODAY }),
  ).toEqual([]);
  const none = responsibility.map(({ partyId }) => held(partyId, false));
  const ofNone = { responsibility: none, parents: [], otherParents };
  expect(missingForChildren(aFamily(ofNone), { today: TODAY })).toEqual([]);
});

test("child-inclusive: when it is no family case, or nobody knows the child's age, then it says so", () => {
  expect(missingForChildren({ ...aFamily({}), domain: "civil" }, { today: TODAY })).toHaveLength(1);
  expect(missingForChildren(aFamily({}, ""), { today: TODAY })).toEqual(["it is not recorded when Leo was born"]);
});

test.each([
  ["a consent without its day", { parents: [{ ...given("p1"), on: "" }] }],
  ["a parent's consent without how it was given", { parents: [{ ...given("p1"), how: "" as const }] }],
  ["a parent who is not a party without a name", { otherParents: [{ ...NOT_ASKED, name: "-" }] }],
  [
    "their consent without its day",
    { otherParents: [{ name: "Dee Marsh", state: "given" as const, on: "", how: "in_person" as const }] },
  ],
  ["a child's withdrawal without its day", { child: { state: "withdrawn" as const, on: "" } }],
  ["an answer without the day of the offer", { voice: { offeredOn: "", outcome: "wants_to" as const } }],
])("child-inclusive: when %s is entered, then it is refused", (_what, cim) => {
  expect(inclusionSchema.safeParse(ALL).success).toBe(true);
  expect(inclusionSchema.safeParse({ ...ALL, ...cim }).success).toBe(false);
});

test("child-inclusive: when a child under ten is heard and nobody said why, then that is missing", () => {
  expect(missingForChildren(aFamily({ voice: NOT_INCLUDED.voice }, "2017-01-01"), { today: TODAY })).toEqual([
    "Leo is under ten, and it is not recorded why they are heard",
  ]);
});

test("child-inclusive: when somebody consented only after a meeting that was held, then that was missing for it", () => {
  const late = { state: "given" as const, on: "2026-05-20" };
  expect(missingForChildren(aFamily({ child: late }), { today: "2026-05-30", heldOn: TODAY })).toEqual([
    "Leo consented only after that day",
  ]);
});
