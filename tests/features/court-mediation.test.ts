// What a court is told is of mediation: of sessions of two sides, or of shuttle mediation that each came to apart.
import { newId } from "@app/server/core/ids";
import type { MeetingType } from "@app/shared/meeting-states";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { orderOfCourt } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
let hour = 0;

interface Held {
  type: MeetingType;
  asked: string[];
  came?: string[];
  code: SessionOutcomeCode;
}

/** A case in mediation of whose sessions a court ordered a report. */
async function reported() {
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { sessions, meetings } = practice.api;
  await orderOfCourt(practice, theCase.id);
  /** Holds a session up to its lock, and answers with how to lock it and to report of it. */
  const hold = async ({ type, asked, came = asked, code }: Held) => {
    hour += 1;
    const on = (minutes: number) => new Date(Date.UTC(2034, 2, 1, hour, minutes)).toISOString();
    const when = { startsAt: on(0), endsAt: on(45), type, caseId: theCase.id, partyIds: asked };
    const { id: meetingId } = await meetings.create.mutate(aMeetingInput(practice.ownerId, when));
    const { id } = await sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
    const change = () => ({ id, changeId: newId() });
    for (const partyId of asked) {
      const state = came.includes(partyId) ? ("present" as const) : ("no_show" as const);
      await sessions.setAttendance.mutate({ ...change(), partyId, state });
      if (state === "present") await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await sessions.update.mutate({ ...change(), outcome: { code, text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    const lock = () => sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed" });
    return { lock, report: () => sessions.courtReport.query({ id }) };
  };
  return { one: p1.partyId, other: p2.partyId, hold };
}

test("shuttle mediation to which both were asked and one did not come: nothing was agreed there, at the lock and for the court", async () => {
  const { one, other, hold } = await reported();
  const agreed = await hold({ type: "shuttle", asked: [one, other], came: [one], code: "agreed_all" });
  const refused = { fields: { outcome: expect.stringContaining("Nobody agrees alone") } };
  expect(await refusal(agreed.lock())).toMatchObject(refused);
  expect(await refusal(agreed.report())).toMatchObject(refused);
});

test("shuttle mediation with each apart: something is agreed once another side came to its own", async () => {
  const { one, other, hold } = await reported();
  const first = await hold({ type: "shuttle", asked: [one], code: "agreed_all" });
  const refused = { fields: { outcome: expect.stringContaining("Nobody agrees alone") } };
  expect(await refusal(first.lock())).toMatchObject(refused);
  expect(await refusal(first.report())).toMatchObject(refused);
  const second = await hold({ type: "shuttle", asked: [other], code: "agreed_all" });
  expect(await second.lock()).toMatchObject({ status: "locked" });
  expect(await first.lock()).toMatchObject({ status: "locked" });
  for (const { report } of [first, second]) expect(await report()).toMatchObject({ outcome: "agreed_all" });
});

test("sessions.courtReport: a call is no mediation, and nothing of it is reported; a session of both is", async () => {
  const { one, other, hold } = await reported();
  const call = await hold({ type: "call", asked: [one, other], code: "continues" });
  await call.lock();
  expect(await refusal(call.report())).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("no mediation session"),
  });
  const mediation = await hold({ type: "mediation", asked: [one, other], code: "agreed_all" });
  await mediation.lock();
  expect(await mediation.report()).toMatchObject({ outcome: "agreed_all" });
});

test("sessions.move: of a call in which something is said to be agreed, it does not end so", async () => {
  const { one, other, hold } = await reported();
  expect(await refusal(hold({ type: "call", asked: [one, other], code: "agreed_all" }))).toMatchObject({
    fields: { outcome: expect.stringContaining("counts for no mediation, so nothing is agreed in it") },
  });
});
