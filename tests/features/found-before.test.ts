// A finding that is recorded only later stood against the sessions that were held since, and the file says so.
import { newId } from "@app/server/core/ids";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { expect, test } from "vitest";
import { daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { aCaseInput, aPractice, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const TOLD = "The screening of P2 did not allow mediation.";

/** A locked session of five days ago, of two who were screened long before. */
async function locked() {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: daysAgo(30) });
  const caseId = theCase.id;
  await metBefore(practice, caseId, daysAgo(20));
  const before = { heldOn: daysAgo(25), completedAt: new Date(`${daysAgo(25)}T10:00:00Z`) };
  await ScreeningModel.updateMany({ ownerId, caseId }, { $set: before });
  const day = daysAgo(5);
  const times = { startedAt: `${day}T10:00:00.000Z`, endedAt: `${day}T11:00:00.000Z` };
  const recorded = { id: newId(), caseId, meetingId: null, ...times, unmetReason: "Written up late" };
  const { id } = await api.sessions.record.mutate(recorded);
  const change = () => ({ id, changeId: newId() });
  for (const { partyId } of [p1, p2]) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const review = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...review });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Written up late" });
  const unmet = async () => (await api.sessions.get.query({ id })).unmet;
  const find = (heldOn: string) =>
    api.screenings.complete.mutate(aScreening(theCase, p2.partyId, { ...NOT_SAFE, heldOn }));
  return { theCase, unmet, find };
}

test("screenings.complete: not safe, of a day before a locked session, when it is recorded, then that session says so once, and how it was found", async () => {
  const { unmet, find } = await locked();
  expect(JSON.stringify(await unmet())).not.toContain(TOLD);
  await find(daysAgo(10));
  await find(daysAgo(9));
  const said = (await unmet()).filter(({ what }) => what.includes(TOLD));
  expect(said).toMatchObject([{ what: [TOLD], reason: "Found when a screening of an earlier day was recorded" }]);
});

test("screenings.complete: not safe, of a day after a locked session, or of the same, says nothing against it", async () => {
  for (const days of [5, 4]) {
    const { unmet, find } = await locked();
    const before = await unmet();
    await find(daysAgo(days));
    expect(await unmet()).toEqual(before);
  }
});

test("screenings.complete: not safe, of a day before a locked session of another case of the same people, then that session says so and names no case", async () => {
  const { theCase, unmet } = await locked();
  const clientIds = theCase.parties.map(({ clientId }) => clientId);
  const other = await practice.api.casework.create.mutate(aCaseInput(clientIds));
  const found = { ...NOT_SAFE, heldOn: daysAgo(10) };
  await practice.api.screenings.complete.mutate(aScreening(other, other.parties[1]?.partyId ?? "", found));
  const said = JSON.stringify(await unmet());
  expect(said).toContain("P2 had been found not safe to mediate in another case");
  expect(said).not.toContain(other.caseRef);
});
