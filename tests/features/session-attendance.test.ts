// Who may be marked as present in a session.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);

test("sessions.setAttendance: somebody who has left the case comes to none of its sessions before they are back in it", async () => {
  const practice = await aPractice(app);
  const { theCase, p2 } = await aCase(practice, { domain: "other" });
  const { api } = practice;
  const { version } = await api.cases.get.query({ id: theCase.id });
  const leaving = { to: "withdrawn" as const, on: "2026-01-05", reason: "Ill", isOwnDecision: true, confidences: null };
  await api.casework.moveParty.mutate({ id: theCase.id, version, partyId: p2.partyId, ...leaving });
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const come = api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: p2.partyId, state: "present" });
  expect((await refusal(come)).message).toBe(
    "P2 does not take part in this case any more. Bring them back into it first.",
  );
});
