// Whether a session may begin, or go on, as the case stands now.
import { isAssessing, inShuttleWith, isHeldApart, isMediation, whyNotBegin } from "@app/shared/case-sessions";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseDoc, getCase } from "../cases/cases.service.ts";
import { assertConsentsStand } from "../cases/newcomer-consents.service.ts";
import { meetingBlockers } from "../conflicts/conflict-gates.service.ts";
import { assertMayMediateAlone, assertMayMediateApart, assertMayMeet } from "../screenings/screening-gates.service.ts";
import { assertInNoOther } from "./same-hours.ts";
import { assertMeetingReady, meetingTypeOf } from "./session-meetings.ts";
import type { SessionDoc } from "./sessions.model.ts";

/** One that is not stored yet has no id. */
type Beginning = Pick<SessionDoc, "caseId" | "partyIds" | "meetingId"> & { _id: string | null };

/**
 * PRECONDITION_FAILED while the case has not come as far, the conflict check or the screening of somebody who is awaited
 * does not allow that they come, somebody who comes with them did not sign that it stays confidential, a child may not be
 * heard, or one of them is in another session.
 */
export async function assertSessionMayRun(
  scope: Scope,
  { _id: sessionId, caseId, partyIds, meetingId }: Beginning,
): Promise<void> {
  const theCase = await getCase(scope, caseId);
  const type = await meetingTypeOf(scope, meetingId);
  const why = whyNotBegin(theCase, { type, partyIds });
  if (why !== null) throw wrongState(why);
  const parties = theCase.parties.filter(({ partyId }) => partyIds.includes(partyId));
  await assertInNoOther(scope, theCase, { parties, sessionId, meetingId });
  const isApart = isHeldApart(type, parties);
  const mediating = isApart ? inShuttleWith(theCase, parties) : parties;
  if (isMediation(type, parties)) await assertConsented(scope, caseId, mediating);
  if (isApart) await assertMayMediateApart(scope, theCase, mediating);
  else if (theCase.status !== "in_mediation" && !isAssessing(type) && !isMediation(type, parties))
    await assertMayMediateAlone(scope, theCase);
  const clientIds = parties.map(({ clientId }) => clientId);
  const blockers = await meetingBlockers(scope, { caseId, clientIds });
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
  await assertMayMeet(scope, { caseId, parties });
  await assertMeetingReady(scope, meetingId);
}

async function assertConsented(scope: Scope, caseId: string, mediating: readonly { partyId: string }[]): Promise<void> {
  const ids = new Set(mediating.map(({ partyId }) => partyId));
  const { parties } = await findCaseDoc(scope, caseId);
  await assertConsentsStand(
    scope,
    parties.filter(({ partyId }) => ids.has(partyId)),
  );
}
