// What was found of somebody since they were screened: by a safety review, because they left and came back, or because
// somebody joined who was not looked at.
import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import type { Statement } from "@app/shared/miam-rules";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { aClient, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const NOT_SAFE = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He followed her home" };
const SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

/** A case in mediation with a session of both, under way. */
async function begun() {
  const { api } = practice;
  const built = await aMediatedCase(practice, ledBy(practice.ownerId));
  const caseId = built.theCase.id;
  const fresh = () => api.cases.get.query({ id: caseId });
  const start = (unmetReason?: string) =>
    api.sessions.start.mutate({ id: newId(), caseId, meetingId: null, ...(unmetReason && { unmetReason }) });
  const { id } = await start();
  const change = () => ({ id, changeId: newId() });
  const end = (sessionId = id) => api.sessions.move.mutate({ ...change(), id: sessionId, to: "ended" });
  const review = (partyId: string, said: typeof SAFE) =>
    api.sessions.reviewSafety.mutate({ ...change(), partyId, ...said });
  const come = (partyId: string, state: "present" | "no_show") =>
    api.sessions.setAttendance.mutate({ ...change(), partyId, state });
  const finish = async () => {
    await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    await api.sessions.move.mutate({ ...change(), to: "ended" });
    return api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  };
  const withdraw = async (partyId: string) =>
    api.casework.moveParty.mutate({
      ...at(await fresh()),
      partyId,
      to: "withdrawn",
      on: TODAY,
      reason: "Walks out",
      isOwnDecision: true,
    });
  const { items } = await api.assessments.list.query({ caseId });
  const judged = async (partyId: string, statement: Statement) => {
    const assessmentId = items.find((record) => record.partyId === partyId)?.id ?? "";
    const { statements } = await api.certificates.choices.query({ assessmentId });
    return statements.find((each) => each.statement === statement);
  };
  return { ...built, api, caseId, id, fresh, start, end, change, review, come, finish, withdraw, judged };
}

test("certificates.choices: a safety review that says “not safe” counts like a screening, until a later review or screening answers it", async () => {
  const { api, p1, p2, review, withdraw, judged, fresh } = await begun();
  await review(p2.partyId, NOT_SAFE);
  await withdraw(p2.partyId);
  expect(await judged(p1.partyId, "other_stops")).toMatchObject({
    isAllowed: true,
    warning: expect.stringContaining("safe"),
  });
  expect(await judged(p2.partyId, "unsuitable")).toMatchObject({ isAllowed: true });
  expect(await judged(p1.partyId, "unsuitable")).toMatchObject({ isAllowed: true });
  await review(p2.partyId, SAFE);
  expect(await judged(p2.partyId, "unsuitable")).toMatchObject({ isAllowed: false });
  await review(p2.partyId, NOT_SAFE);
  await api.screenings.complete.mutate(aScreening(await fresh(), p2.partyId));
  expect(await judged(p2.partyId, "unsuitable")).toMatchObject({ isAllowed: false });
  expect(await judged(p1.partyId, "other_stops")).toMatchObject({ isAllowed: true, warning: "" });
});

test("screenings.list: a safety review that raises a concern says of whom it was found suitable that they are to be screened again, until they were", async () => {
  const { api, p2, caseId, review, fresh } = await begun();
  const again = async () => (await api.screenings.list.query({ caseId })).again;
  expect(await again()).toEqual([]);
  await review(p2.partyId, NOT_SAFE);
  expect(await again()).toEqual([{ partyId: p2.partyId, why: "Screen P2 again: a safety review raised a concern." }]);
  await api.screenings.complete.mutate(aScreening(await fresh(), p2.partyId));
  expect(await again()).toEqual([]);
});

test("casework.safetyDue: after a review that raised a concern, then whoever may read each of them is told of the screening and the entry that are due", async () => {
  const { api, p2, caseId, review, fresh } = await begun();
  const due = (by = api) => by.casework.safetyDue.query({ id: caseId });
  expect(await due()).toEqual({ again: [], openEntries: 0 });
  await review(p2.partyId, NOT_SAFE);
  const again = ["Screen P2 again: a safety review raised a concern."];
  expect(await due()).toEqual({ again, openEntries: 1 });
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect(await due(blind.api)).toEqual({ again: [], openEntries: null });
  await api.screenings.complete.mutate(aScreening(await fresh(), p2.partyId));
  expect(await due()).toMatchObject({ again: [] });
});

test("sessions.amend: whoever is found to have come to a locked session is reviewed first, which it takes still", async () => {
  const { api, p1, p2, review, come, finish, change } = await begun();
  await come(p1.partyId, "present");
  await come(p2.partyId, "no_show");
  await review(p1.partyId, SAFE);
  expect((await finish()).status).toBe("locked");
  const amend = () =>
    api.sessions.amend.mutate({
      ...change(),
      text: "She joined by phone",
      attendance: [{ partyId: p2.partyId, state: "present" }],
    });
  expect(await refusal(amend())).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "Record the safety review of P2.",
  });
  const late = { wasAskedBefore: true };
  await api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...SAFE, ...late });
  const amended = await amend();
  expect(amended.amendments).toMatchObject([{ attendance: [{ partyId: p2.partyId, to: "present" }] }]);
  expect(amended.safetyReviews?.map(({ partyId }) => partyId)).toEqual([p1.partyId, p2.partyId]);
});

test("whoever walks out and comes back is screened again before they mediate, and stands on no screening of before", async () => {
  const { api, caseId, p2, withdraw, fresh } = await begun();
  await withdraw(p2.partyId);
  const led = leading(practice, caseId);
  await led.party(1, "responded", "miam_attended");
  expect((await fresh()).parties[1]?.status).toBe("miam_attended");
  const again = "Screen P2 again: they had left the case since the last screening.";
  expect(await refusal(led.party(1, "suitable"))).toMatchObject({ code: "PRECONDITION_FAILED", message: again });
  await api.screenings.complete.mutate(aScreening(await fresh(), p2.partyId));
  expect((await fresh()).parties[1]?.status).toBe("suitable");
});

test("that somebody walked out is taken back: then their screening counts as before", async () => {
  const { api, p2, withdraw, start, end } = await begun();
  const gone = await withdraw(p2.partyId);
  const back = await api.casework.correct.mutate({ ...at(gone), partyId: p2.partyId, reason: "It was the other case" });
  expect(back.parties[1]?.status).toBe("active");
  expect(back.status).toBe("in_mediation");
  await end();
  expect((await start()).status).toBe("in_progress");
});

test("sessions.start: while somebody who joined is not checked for conflicts, it asks why it goes on without, and keeps the answer", async () => {
  const { api, caseId, fresh, start, end } = await begun();
  await end();
  const { id: clientId } = await api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "respondent" as const, side: "" };
  const joined: Case = await api.casework.addParty.mutate({ ...at(await fresh()), changeId: newId(), party });
  expect(joined.parties).toHaveLength(3);
  const missing = "The conflict check of P3, who joined, was not decided.";
  expect((await refusal(start())).fields).toEqual({ unmetReason: expect.stringContaining(missing) });
  expect((await refusal(start(" ... "))).fields).toHaveProperty("unmetReason");
  const session = await start("Both sides wanted to go on with the holidays");
  expect(session.unmet).toMatchObject([{ what: [missing], reason: "Both sides wanted to go on with the holidays" }]);
  await api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
  await end(session.id);
  expect((await start()).unmet).toEqual([]);
});
