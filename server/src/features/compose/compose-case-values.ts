// What a letter may say of how its case and its invitation stand.
import { ENDED_STATUSES } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { isInvitable } from "@app/shared/ladders";
import type { MergeValues } from "@app/shared/merge-fields";
import type { Scope } from "../../core/trpc.ts";
import { replyByOf } from "../ladders/attempts.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { jointSessions } from "../sessions/session-facts.service.ts";

/** As things are when it leaves. */
export async function caseValuesOf(scope: Scope, theCase: Case, party: Party, leavesAt: Date): Promise<MergeValues> {
  const replyBy = await invitedUntil(scope, theCase, party, leavesAt);
  const takesPlace = await takesPlaceOf(scope, theCase);
  return {
    "case.reference": theCase.caseRef,
    ...(takesPlace ? { "case.takesPlace": takesPlace } : {}),
    ...(replyBy ? { "invitation.replyBy": replyBy } : {}),
  };
}

async function invitedUntil(scope: Scope, theCase: Case, party: Party, leavesAt: Date): Promise<string | null> {
  if (!isInvitable(party, theCase)) return null;
  const on = dayIn(await practiceTimeZone(scope.ownerId), leavesAt);
  const of = { caseId: theCase.id, partyId: party.partyId };
  const replyBy = await replyByOf(scope, { ...of, channel: "email", on, insteadBecause: "" });
  return (await practiceDates(scope.ownerId)).calendarDay(replyBy);
}

/** The one fact that whoever commissioned a mediation is told; null while it is open. */
async function takesPlaceOf(scope: Scope, { id: caseId, status, parties, rounds }: Case): Promise<string | null> {
  if (status === "in_mediation" || status === "paused") return "Mediation takes place";
  if (status !== "concluded" && !ENDED_STATUSES.includes(status)) return null;
  const held = await jointSessions(scope, { caseId, parties, rounds });
  return held.length > 0 ? "Mediation took place" : "Mediation does not take place";
}
