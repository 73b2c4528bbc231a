// What happened has a day that has come, and what is said of each party is said once.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { addDays } from "@app/shared/days";
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, aTime, bookChild, CONSENT, GIVEN, setChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { aScreening } from "../support/server/screened.ts";
import { aSignedCase, SIGNED_ON } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

// Of any practice: it is today somewhere, and the day after tomorrow nowhere.
const AHEAD = addDays(new Date().toISOString().slice(0, 10), 2);
const BEFORE_BIRTH = "2014-03-02";
const fieldsOf = async (refused: Promise<unknown>) => Object.keys((await refusal(refused)).fields ?? {});

type Cim = typeof NOT_INCLUDED;
test.each<[string, string, Partial<Cim> | ((first: string) => Partial<Cim>)]>([
  ["a parent consented", "children.0.cim.parents.0.on", (partyId) => ({ parents: [{ partyId, ...CONSENT }] })],
  [
    "a parent who is no party consented",
    "children.0.cim.otherParents.0.on",
    { otherParents: [{ name: "Dee Marsh", ...CONSENT }] },
  ],
  ["the child consented", "children.0.cim.child.on", { child: GIVEN }],
  ["a child withdrew", "children.0.cim.child.on", { child: { ...GIVEN, state: "withdrawn" } }],
  ["a child was asked", "children.0.cim.voice.offeredOn", { voice: { offeredOn: GIVEN.on, outcome: "wants_to" } }],
])(
  "casework.update: when %s on a day to come, or before the child was born, then it is refused there",
  async (_what, field, of) => {
    const { theCase, p1 } = await aCase(practice);
    const said = typeof of === "function" ? of(p1.partyId) : of;
    const on = (day: string) =>
      JSON.parse(JSON.stringify({ ...NOT_INCLUDED, ...said }).replaceAll(GIVEN.on, day)) as Cim;
    for (const day of [AHEAD, BEFORE_BIRTH])
      expect(await fieldsOf(setChild(practice, theCase.id, on(day)))).toEqual([field]);
    await setChild(practice, theCase.id, on(GIVEN.on));
    expect(await fieldsOf(setChild(practice, theCase.id, NOT_INCLUDED, { dateOfBirth: AHEAD }))).toEqual([
      "children.0.dateOfBirth",
    ]);
  },
);

test("casework.create: when a child of a new case consented on a day to come, then it is refused too", async () => {
  const { first, second } = await aCase(practice);
  const cim = { ...NOT_INCLUDED, child: { ...GIVEN, on: AHEAD } };
  const children = [{ childId: newId(), firstName: "Leo", dateOfBirth: "", livesWith: "", cim }];
  const opened = practice.api.casework.create.mutate(aCaseInput([first.id, second.id], { children }));
  expect(await fieldsOf(opened)).toEqual(["children.0.cim.child.on"]);
});

test("meetings.create: when a day to come or two entries of one parent are stored from before, then no child is heard by them", async () => {
  const { theCase, p1, p2, cim } = await aFamily(practice);
  const stored = (change: Partial<Cim>) =>
    CaseModel.updateOne(
      { _id: theCase.id, ownerId: practice.ownerId },
      { $set: { "children.0.cim": { ...cim, ...change } } },
    );
  await stored({ child: { ...GIVEN, on: AHEAD } });
  expect((await refusal(bookChild(practice, theCase.id))).message).toContain("has a day that has not come yet");
  const [first, second] = [p1, p2].map(({ partyId }) => ({ partyId, ...CONSENT }));
  if (!first || !second) throw new Error("a case has two parties");
  await stored({ parents: [first, { ...first, state: "withdrawn" }, second] });
  expect((await refusal(bookChild(practice, theCase.id))).message).toContain("withdrew consent for Leo");
});

test("lists that are maps: when a party or a mediator stands there twice, then it is refused", async () => {
  const { theCase, p1, p2, first, second } = await aCase(practice);
  const { api, ownerId } = practice;
  const consents = [p1, p1, p2].map(({ partyId }) => ({ partyId, ...CONSENT }));
  expect(await fieldsOf(setChild(practice, theCase.id, { ...NOT_INCLUDED, parents: consents }))).toEqual([
    "children.0.cim.parents",
  ]);
  const responsibility = [p1, p1].map(({ partyId }) => ({ partyId, isHeld: true }));
  expect(await fieldsOf(setChild(practice, theCase.id, { ...NOT_INCLUDED, responsibility }))).toEqual([
    "children.0.cim.responsibility",
  ]);
  const mediators = [true, false].map((isLead) => ({ userId: ownerId, isLead }));
  expect(await fieldsOf(api.casework.create.mutate(aCaseInput([first.id, second.id], { mediators })))).toEqual([
    "mediators",
  ]);
  const arrivals = [0, 30].map((minutesBefore) => ({ partyId: p1.partyId, minutesBefore }));
  const partyIds = [p1.partyId, p2.partyId];
  const input = aMeetingInput(ownerId, { caseId: theCase.id, partyIds, startsAt: aTime() });
  expect(await fieldsOf(api.meetings.create.mutate({ ...input, arrivals }))).toEqual(["arrivals"]);
  const { id, version } = await api.meetings.create.mutate(input);
  const { type, title, location, mediatorIds, note } = input;
  const changed = { id, version, type, title, location, mediatorIds, note, partyIds, arrivals };
  expect(await fieldsOf(api.meetings.update.mutate(changed))).toEqual(["arrivals"]);
  const now = await api.cases.get.query({ id: theCase.id });
  const funded = { type: "private" as const, shareBp: 5000, payerContactId: "" };
  const parties = [p1, p1].map(({ partyId }) => ({ partyId, funding: funded }));
  expect(await fieldsOf(api.casework.setFunding.mutate({ id: now.id, version: now.version, parties }))).toEqual([
    "parties",
  ]);
  const disclosed = api.casework.recordDisclosure.mutate({
    id: now.id,
    version: now.version,
    disclosureId: newId(),
    what: "That they came",
    fileIds: [],
    to: [],
    hasReport: true,
    ground: {
      kind: "consents",
      consents: [p1, p1, p2].map(({ partyId }) => ({ partyId, on: GIVEN.on, how: "By mail" })),
    },
  });
  expect(await fieldsOf(disclosed)).toEqual(["ground"]);
});

describe("a case that started on a day", () => {
  const startedOn = addDays(AHEAD, -12);
  const early = addDays(startedOn, -1);
  const message = (field: string) => ({ fields: { [field]: expect.stringContaining("This case started on") } });

  test("casework.update, updateParty, moveParty: when somebody consented or signed before it, then it is refused there", async () => {
    const { theCase, p1 } = await aCase(practice, { startedOn });
    const cim = { ...NOT_INCLUDED, child: { ...GIVEN, on: early } };
    expect(await refusal(setChild(practice, theCase.id, cim))).toMatchObject(message("children.0.cim.child.on"));
    const { api, ownerId } = practice;
    const of = { id: theCase.id, version: theCase.version, partyId: p1.partyId };
    const party = { ...of, side: "", role: "initiator" as const, representativeContactIds: [] };
    const consent = (consentedOn: string) => api.casework.updateParty.mutate({ ...party, consentedOn });
    expect(await refusal(consent(early))).toMatchObject(message("consentedOn"));
    await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: { "parties.0.status": "suitable" } });
    const step = { ...of, to: "agreement_signed" as const, reason: "", confidences: "kept" as const };
    const sign = (on: string) => api.casework.moveParty.mutate({ ...step, on });
    expect(await refusal(sign(early))).toMatchObject(message("on"));
    expect((await sign(startedOn)).parties[0]?.agreementSignedOn).toBe(startedOn);
  });

  test("casework.update: when an early day is stored from before, then the rest of the case changes all the same", async () => {
    const { theCase } = await aCase(practice);
    const cim = { ...NOT_INCLUDED, child: GIVEN };
    await setChild(practice, theCase.id, cim);
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: { startedOn } });
    const changed = await setChild(practice, theCase.id, { ...cim, isOffered: true });
    expect(changed.children[0]?.cim).toMatchObject({ isOffered: true, child: GIVEN });
  });

  test("casework.updateParty: when nobody said when it started, then a mistyped year is refused", async () => {
    const { theCase, p1 } = await aCase(practice);
    const of = { id: theCase.id, version: theCase.version, partyId: p1.partyId, representativeContactIds: [] };
    const consent = { ...of, side: "", role: "initiator" as const, consentedOn: "0026-01-02" };
    expect(await refusal(practice.api.casework.updateParty.mutate(consent))).toMatchObject({
      fields: { consentedOn: expect.stringContaining("Check the year") },
    });
  });

  test("casework.changeConfidences: when new words are signed before the old ones, then it is refused there", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "kept");
    const change = practice.api.casework.changeConfidences.mutate({
      id: theCase.id,
      version: theCase.version,
      to: "none",
      reason: "New wording",
      signatures: [{ partyId: p1.partyId, on: addDays(SIGNED_ON, -1) }],
    });
    expect(await refusal(change)).toMatchObject({
      fields: { "signatures.0.on": expect.stringContaining("The agreement before was signed on") },
    });
  });
});

test("casework.updateParty: when a party consented on a day to come, then it is refused", async () => {
  const { theCase, p1 } = await aCase(practice);
  const change = (consentedOn: string) =>
    practice.api.casework.updateParty.mutate({
      id: theCase.id,
      version: theCase.version,
      partyId: p1.partyId,
      side: "",
      role: "initiator",
      consentedOn,
      representativeContactIds: [],
    });
  expect(await fieldsOf(change(AHEAD))).toEqual(["consentedOn"]);
  expect((await change(GIVEN.on)).parties[0]?.consentedOn).toBe(GIVEN.on);
});

test("meetings.create, meetings.noteOther: when somebody signed on a day to come, then it is refused", async () => {
  const { theCase } = await aCase(practice);
  const { email } = await aStaffUser(app, practice, { role: 3 });
  const { items } = await practice.api.staff.list.query();
  const personId = items.find((one) => one.email === email)?.id ?? "";
  const other = { kind: "colleague" as const, personId, role: "observer" as const, partyId: null };
  const book = (signedOn: string) =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        others: [{ ...other, signedOn }],
        type: "call",
        startsAt: aTime(),
      }),
    );
  expect(await fieldsOf(book(AHEAD))).toEqual(["others"]);
  const { id } = await book("");
  const note = practice.api.meetings.noteOther.mutate({ id, personId, signedOn: AHEAD });
  expect(await fieldsOf(note)).toEqual(["signedOn"]);
});

test("screenings and the safeguarding record: when somebody was screened, consulted or told on a day to come, then it is refused", async () => {
  const { theCase, p1 } = await aCase(practice);
  const { screenings, safeguarding } = practice.api;
  const consulted = { isConsulted: true, who: "Ruth Amsel", on: AHEAD, whyNot: "" };
  const score = { name: "DASH", score: "14", on: AHEAD };
  const referral = { agency: "A helpline", on: AHEAD, reference: "" };
  const screen = (found: Parameters<typeof aScreening>[2]) =>
    fieldsOf(screenings.complete.mutate(aScreening(theCase, p1.partyId, found)));
  expect(await screen({ heldOn: AHEAD })).toEqual(["heldOn"]);
  expect(await screen({ consulted })).toEqual(["consulted.on"]);
  expect(await screen({ score })).toEqual(["score.on"]);
  expect(await screen({ referral })).toEqual(["referral.on"]);
  const told = [{ agency: "Children’s services", on: AHEAD, reference: "" }];
  const { id } = await safeguarding.add.mutate(anEntry(theCase.id));
  for (const [field, wrong] of [
    ["consulted.on", { consulted }],
    ["told.0.on", { told }],
  ] as const) {
    expect(await fieldsOf(safeguarding.add.mutate(anEntry(theCase.id, wrong)))).toEqual([field]);
    expect(await fieldsOf(safeguarding.amend.mutate(anAmendment(id, theCase.id, wrong)))).toEqual([field]);
  }
});

test.each(["parents_object", "not_suitable"] as const)(
  "casework.update: when a child of ten or over is not heard because of %s, then why is asked for; what stood there stays",
  async (outcome) => {
    const { theCase } = await aCase(practice);
    const cim = { ...NOT_INCLUDED, voice: { offeredOn: GIVEN.on, outcome } };
    expect(await fieldsOf(setChild(practice, theCase.id, cim))).toEqual(["children.0.cim.overrideReason"]);
    const said = await setChild(practice, theCase.id, { ...cim, overrideReason: "In hospital for months" });
    expect(said.children[0]?.cim.overrideReason).toBe("In hospital for months");
    const before = { _id: theCase.id, ownerId: practice.ownerId };
    await CaseModel.updateOne(before, { $set: { "children.0.cim.overrideReason": "" } });
    expect((await setChild(practice, theCase.id, { ...cim, isOffered: true })).children[0]?.cim.isOffered).toBe(true);
  },
);
