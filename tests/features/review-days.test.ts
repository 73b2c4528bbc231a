// Of which days a safety review is before a session: it says something of the people as they come to that one.
import { newId } from "@app/server/core/ids";
import { SafetyReviewModel } from "@app/server/features/screenings/safety-reviews.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { daysAgo } from "../support/server/assessments.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aPractice, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const DAY_MS = 86_400_000;

/** A session that is prepared in a case in mediation. */
async function planned() {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const prepare = () => api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const of = ({ id }: { id: string }) => {
    const change = () => ({ id, changeId: newId() });
    return {
      review: (partyId: string, heldOn = "") =>
        api.sessions.reviewSafety.mutate({ ...change(), partyId, ...SAFE, heldOn }),
      move: (to: "in_progress" | "ended" | "locked", unmetReason = "") =>
        api.sessions.move.mutate({ ...change(), to, unmetReason }),
      async come(): Promise<void> {
        for (const { partyId } of [p1, p2])
          await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
        await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
      },
    };
  };
  return { prepare, of, ids: [p1.partyId, p2.partyId], theCase };
}

test("sessions.reviewSafety: from before the case, or before the session that was held last, then it is none of this session", async () => {
  const { prepare, of, ids } = await planned();
  const first = await prepare();
  const [p1 = "", p2 = ""] = ids;
  expect((await refusal(of(first).review(p1, addDays(TODAY, -400)))).fields).toHaveProperty("heldOn");
  expect((await refusal(of(first).review(p1, addDays(TODAY, 1)))).fields).toHaveProperty("heldOn");
  for (const id of [p1, p2]) await of(first).review(id, TODAY);
  await of(first).move("in_progress");
  await of(first).come();
  await of(first).move("ended");
  await of(first).move("locked");
  const second = await prepare();
  expect((await refusal(of(second).review(p1, addDays(TODAY, -1)))).fields).toEqual({
    heldOn: expect.stringContaining("Session 1 was held on"),
  });
  await of(second).review(p1, TODAY);
});

test("sessions.move: a review that was weeks old when its session began, then it is locked only with why", async () => {
  const { prepare, of, ids } = await planned();
  const session = await prepare();
  for (const id of ids) await of(session).review(id);
  const weeksAgo = new Date(Date.now() - 20 * DAY_MS);
  await mongoose.connection
    .collection("safety_reviews")
    .updateOne({ sessionId: session.id, partyId: ids[0] }, { $set: { at: weeksAgo } });
  await of(session).move("in_progress");
  await of(session).come();
  await of(session).move("ended");
  const missing = "The safety review of P1 was over 14 days old when the session began.";
  const refused = (await refusal(of(session).move("locked"))).fields;
  expect(refused).toEqual({ unmetReason: expect.stringContaining(missing) });
  expect(refused["unmetReason"]).not.toContain("P2");
  expect((await of(session).move("locked", "Asked again at the door")).unmet).toMatchObject([{ what: [missing] }]);
});

test("sessions.move: somebody who died since and was never asked, then the session is locked with why, and everybody else is asked", async () => {
  const { prepare, of, ids, theCase } = await planned();
  const session = await prepare();
  const [p1 = "", p2 = ""] = ids;
  await of(session).move("in_progress");
  await of(session).come();
  await of(session).move("ended");
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  const died = { partyId: p2, to: "died" as const, on: TODAY, reason: "", confidences: null };
  await practice.api.casework.moveParty.mutate({ id, version, ...died });
  expect((await refusal(of(session).move("locked", "She died"))).message).toBe("Record the safety review of P1.");
  await of(session).review(p1);
  expect((await refusal(of(session).move("locked"))).fields).toEqual({
    unmetReason: expect.stringContaining("There is no safety review of P2."),
  });
  const locked = await of(session).move("locked", "She died before anybody asked her");
  expect(locked.unmet.flatMap(({ what }) => what)).toContain("There is no safety review of P2.");
});

test("sessions.record: of a concern and a screening of one day, the one that was written down last counts as the later one", async () => {
  const { prepare, of, ids, theCase } = await planned();
  const { ownerId } = practice;
  const prepared = await prepare();
  const [partyId = ""] = ids;
  await of(prepared).review(partyId);
  await SafetyReviewModel.updateOne(
    { ownerId, sessionId: prepared.id, partyId },
    { $set: { isSafe: false, heldOn: daysAgo(10) } },
  );
  const record = (days: number, unmetReason: string) =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: theCase.id,
      meetingId: null,
      startedAt: `${daysAgo(days)}T10:00:00.000Z`,
      endedAt: `${daysAgo(days)}T11:00:00.000Z`,
      unmetReason,
    });
  const told = "P1 had not been screened since a safety review raised a concern.";
  const screened = (completedAt: Date) =>
    ScreeningModel.updateMany({ ownerId, caseId: theCase.id }, { $set: { heldOn: daysAgo(10), completedAt } });
  await screened(new Date(`${daysAgo(9)}T09:00:00.000Z`));
  expect((await record(5, "As it was")).unmet.flatMap(({ what }) => what)).toContain(told);
  await screened(new Date());
  expect((await record(4, "As it was")).unmet.flatMap(({ what }) => what)).not.toContain(told);
});
