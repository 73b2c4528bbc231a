// The days of one party's way come one after the other, in the order in which they can have happened.
import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anUnscreenedMiam, authorise, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(async () => {
  const made = await aCase(practice);
  await mayContact(made.theCase);
  return made;
});

// `mayContact` stores it as what was agreed on this day.
const AGREED = "2026-01-05";
const LATER = addDays(AGREED, 10);
const day = (after: number) => addDays(LATER, after);

async function at(partyId = built.p2.partyId) {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version, partyId };
}
const invite = async (on: string) =>
  practice.api.casework.inviteParty.mutate({
    ...(await at()),
    changeId: newId(),
    channel: "post",
    on,
    wording: "A letter",
  });
const move = async (to: PartyStatus, on: string, partyId?: string) =>
  practice.api.casework.moveParty.mutate({
    ...(await at(partyId)),
    to,
    on,
    reason: "As it is",
    isOwnDecision: to === "withdrawn" || to === "refused" ? true : null,
  });

test("casework.inviteParty: when it was before whoever came first agreed to it, then the refusal names that day", async () => {
  expect((await refusal(invite(addDays(AGREED, -1)))).fields).toMatchObject({
    on: expect.stringMatching(/5 Jan.* 2026, when it was agreed that the others may be contacted \(P1\)/),
  });
  await invite(AGREED);
});

test.each(["responded", "no_response", "refused", "withdrawn"] as const)(
  "casework.moveParty: when %s is from before the first invitation, then it is refused, and from that day on it is recorded",
  async (to) => {
    await invite(LATER);
    await invite(day(3));
    expect((await refusal(move(to, day(-1)))).fields).toMatchObject({
      on: expect.stringContaining("when the first invitation was made (P2)"),
    });
    expect((await move(to, LATER)).parties[1]).toMatchObject({ status: to, lastStep: { on: LATER } });
  },
);

test("casework.moveParty: when a day is before the one that it follows from, then it is refused: nobody leaves before they came", async () => {
  await move("responded", LATER);
  const before = { on: expect.stringContaining("when the answer came") };
  expect((await refusal(move("withdrawn", day(-1)))).fields).toMatchObject(before);
  await move("withdrawn", day(5));
  const gone = { on: expect.stringContaining("when it was recorded that they take no part") };
  expect((await refusal(move("responded", day(4)))).fields).toMatchObject(gone);
  await move("responded", day(5));
});

test("casework.moveParty: when the step with the other day is taken back, then the day is free again", async () => {
  await invite(LATER);
  const correct = practice.api.casework.correct.mutate;
  await correct({ ...(await at()), reason: "Another letter" });
  await move("responded", day(-5));
});

test("assessments: when the MIAM was before the day of the answer, then it is recorded; moved to a day after they left, it is refused", async () => {
  await authorise(practice);
  const [answered, held, left] = [daysAgo(20), daysAgo(15), daysAgo(10)];
  await move("responded", answered);
  const whose = { caseId: built.theCase.id, partyId: built.p2.partyId, mediatorId: practice.ownerId };
  const of = (attendedOn: string) => anUnscreenedMiam(whose, { attendedOn });
  const { record, correct } = practice.api.assessments;
  await record.mutate(of(daysAgo(21)));
  const { id: _id, ...made } = of(held);
  const { id, version } = await record.mutate({ ...made, id: newId() });
  await move("withdrawn", left);
  const { caseId: _case, partyId: _party, ...details } = made;
  const to = (attendedOn: string) => correct.mutate({ ...details, id, version, attendedOn, reason: "Mistyped" });
  expect((await refusal(to(daysAgo(9)))).fields).toMatchObject({
    attendedOn: expect.stringContaining("This cannot be after"),
  });
  expect((await to(daysAgo(11))).attendedOn).toBe(daysAgo(11));
});
