// What a letter may say of how its case and its invitation stand.
import { ENDED_STATUSES, sidesInMediation } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { isInvitable } from "@app/shared/invitable";
import type { MergeValues } from "@app/shared/merge-fields";
import { toldReference } from "@app/shared/told-reference";
import type { Scope } from "../../core/trpc.ts";
import { replyByOf } from "../ladders/attempts.service.ts";
import { caseNumberPrefix, practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { agreedSessions } from "../sessions/signed-sessions.service.ts";

/** As things are when it leaves. */
export async function caseValuesOf(scope: Scope, theCase: Case, party: Party, leavesAt: Date): Promise<MergeValues> {
  const replyBy = await invitedUntil(scope, theCase, party, leavesAt);
  const takesPlace = await takesPlaceOf(scope, theCase);
  return {
    "case.reference": toldReference(theCase, party, await caseNumberPrefix(scope.ownerId)),
    ...(takesPlace ? { "case.takesPlace": takesPlace } : {}),
    ...(replyBy ? { "invitation.replyBy": replyBy } : {}),
  };
}

async function invitedUntil(scope: Scope, theCase: Case, party: Party, leavesAt: Date): Promise<string | null> {
  const on = dayIn(await practiceTimeZone(scope.ownerId), leavesAt);
  if (!isInvitable(party, theCase, on)) return null;
  const of = { caseId: theCase.id, partyId: party.partyId };
  const replyBy = await replyByOf(scope, { ...of, channel: "email", on, insteadBecause: "" });
  return (await practiceDates(scope.ownerId)).calendarDay(replyBy);
}

/**
 * The one fact that whoever commissioned a mediation is told; null while it is open. Where one side is left and nothing was
 * held, either sentence would tell them that somebody went.
 */
async function takesPlaceOf(scope: Scope, { id: caseId, status, parties, rounds }: Case): Promise<string | null> {
  const isUnderWay = status === "in_mediation" || status === "paused";
  if (isUnderWay && sidesInMediation(parties) > 1) return "Mediation takes place";
  const isOver = status === "concluded" || ENDED_STATUSES.includes(status);
  if (!isUnderWay && !isOver) return null;
  const held = await agreedSessions(scope, { caseId, parties, rounds });
  if (held.length > 0) return "Mediation took place";
  return isOver ? "Mediation does not take place" : null;
}
