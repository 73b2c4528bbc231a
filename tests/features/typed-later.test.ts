// A file that is typed later is typed as it was.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { Outcome } from "@app/shared/case-outcomes";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLedCase, aMediatedCase, TODAY } from "../support/server/led.ts";
import { AGREED } from "../support/server/ending.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { authorise, daysAgo } from "../support/server/assessments.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

/** Both were found suitable by a screening of this many days ago, after their first meetings, and consented since. */
async function aSuitableCase(screenedDaysAgo: number) {
  const { api, ownerId } = practice;
  await authorise(practice);
  const led = await aLedCase(practice, ["Ida Holt", "Ben Rowe"]);
  await led.clear();
  await led.move("intake", "awaiting_second_party");
  await led.assess(0, 1);
  await led.move("assessing");
  const { caseId } = led;
  const on = daysAgo(screenedDaysAgo);
  await ScreeningModel.updateMany({ ownerId, caseId }, { $set: { heldOn: on } });
  await mongoose.connection.collection("assessments").updateMany({ ownerId, caseId }, { $set: { attendedOn: on } });
  const days = { startedOn: addDays(on, -2), "parties.$[].miamOn": on, "parties.$[].invitedOn": on };
  const answered = {
    "parties.$[].respondedOn": on,
    "parties.$[].intakeDoneOn": on,
    "parties.$[].consentedOn": addDays(on, 1),
  };
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { ...days, ...answered } });
  const sign = async (index: number, signedOn: string) => {
    const { id, version, parties, confidences } = await led.now();
    const step = { id, version, partyId: parties[index]?.partyId ?? "", to: "agreement_signed" as const };
    const kept = confidences === null ? ("none" as const) : null;
    return api.casework.moveParty.mutate({ ...step, on: signedOn, reason: "", confidences: kept });
  };
  return { led, sign };
}

test("casework.moveParty and move: what was signed when the screening was fresh is typed as it was, and no session begins on it today", async () => {
  const { sign, led } = await aSuitableCase(300);
  await led.move("ready");
  await sign(0, daysAgo(290));
  await sign(1, daysAgo(290));
  await led.move("in_mediation");
  expect((await led.now()).status).toBe("in_mediation");
  const started = practice.api.sessions.start.mutate({ id: newId(), caseId: led.caseId, meetingId: null });
  expect((await refusal(started)).message).toContain("over 180 days old");
});

test("casework.moveParty: what was signed when the screening was over 180 days old, or is signed today, asks for another", async () => {
  const { sign, led } = await aSuitableCase(300);
  await led.move("ready");
  for (const on of [daysAgo(100), TODAY]) expect((await refusal(sign(0, on))).message).toContain("over 180 days old");
});

test("sessions.record: of a case that is over it says to take the end back, and that way leads there", async () => {
  await authorise(practice);
  const built = await aMediatedCase(practice, { startedOn: daysAgo(30) });
  const { api } = practice;
  const { id: caseId } = built.theCase;
  const at = async () => {
    const { id, version } = await api.cases.get.query({ id: caseId });
    return { id, version };
  };
  const issues: Outcome["issues"] = [{ label: "The house", kind: "property_finance", result: "not_agreed" }];
  const outcome: Outcome = { ...AGREED, code: "not_agreed", issues };
  const ended = { to: "terminated" as const, reason: "Nothing moved", ending: "broken_down" as const, outcome };
  const end = async () => api.casework.move.mutate({ ...(await at()), ...ended });

  const times = { startedAt: `${daysAgo(1)}T10:00:00.000Z`, endedAt: `${daysAgo(1)}T11:00:00.000Z` };
  const record = () =>
    api.sessions.record.mutate({ id: newId(), caseId, meetingId: null, ...times, unmetReason: "Written up late" });
  await end();
  expect((await refusal(record())).message).toBe(
    "This case is over. To add a session that was held before it ended, take the end back under “Correct”, record the session, and end the case again. For one that was held since they came back, reopen the case first.",
  );
  const start = api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  expect((await refusal(start)).message).toContain("Reopen it, or open a new case");
  await api.casework.correct.mutate({ ...(await at()), partyId: "", reason: "A session was forgotten" });
  const { id } = await record();
  for (const { partyId } of [built.p1, built.p2])
    await api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state: "present" });
  await api.sessions.update.mutate({
    id,
    changeId: newId(),
    outcome: { code: "not_agreed", text: "" },
    outcomeBefore: null,
  });
  expect((await end()).status).toBe("terminated");
});
