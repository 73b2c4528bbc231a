import type { Meeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { SessionModel } from "./sessions.model.ts";
import { definePartyTrace, notCancelled } from "../cases/party-traces.service.ts";

/** Also in one that was called off, what was written of them was written. */
definePartyTrace("a session is recorded", async ({ ownerId }, { caseId, partyId }) => {
  const named = [
    { status: notCancelled, partyIds: partyId },
    { "attendance.partyId": partyId },
    { "nextSteps.partyId": partyId },
    { "proposals.byPartyId": partyId },
    { "proposals.visibility.partyIds": partyId },
    { "proposals.visibility.aboutPartyIds": partyId },
  ];
  return Boolean(await SessionModel.exists({ ownerId, caseId, $or: named }));
});

/** Those of these meetings in which a session was held. */
export async function meetingsWithSession(ownerId: string, ids: string[]): Promise<Set<string>> {
  const docs = await SessionModel.find({ ownerId, meetingId: mongoose.trusted({ $in: ids }) }, { meetingId: 1 }).lean();
  return new Set(docs.map(({ meetingId }) => meetingId ?? ""));
}

/** The meetings of a case of which no session was made yet, the last one first. */
export async function meetingsWithout(scope: Scope, caseId: string): Promise<Meeting[]> {
  const meetings = await meetingsOfCase(scope, caseId);
  const taken = await meetingsWithSession(
    scope.ownerId,
    meetings.map(({ id }) => id),
  );
  return meetings.filter(({ id }) => !taken.has(id));
}
