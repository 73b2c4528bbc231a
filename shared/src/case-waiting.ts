// Who has to act next in a case. Free of zod.
import { type CaseStatus, ENDED_STATUSES, hasSigned, isTakingPart, type PartyStatus } from "./case-states.ts";

export type Actor = "party" | "practice" | "nobody";

const NEXT_ACTOR: Record<PartyStatus, Actor> = {
  to_invite: "practice",
  invited: "party",
  no_response: "practice",
  refused: "practice",
  responded: "party",
  intake_done: "practice",
  miam_booked: "nobody",
  miam_missed: "party",
  miam_attended: "practice",
  suitable: "party",
  suitable_with_measures: "party",
  not_suitable: "practice",
  agreement_signed: "nobody",
  active: "nobody",
  done: "nobody",
  withdrawn: "nobody",
};

export interface WaitingParty {
  partyId: string;
  role: "initiator" | "respondent" | "participant";
  status: PartyStatus;
}

/** The parties whose steps matter in this state: before the second is approached, only the first. */
function concerned<P extends WaitingParty>(status: CaseStatus, parties: readonly P[]): readonly P[] {
  if (status === "intake") return parties.filter(({ role }) => role === "initiator");
  if (status === "awaiting_second_party") return parties.filter(({ role }) => role !== "initiator");
  return parties.filter(isTakingPart);
}

/** The party that is waited for, or `practice`, or `nobody`. */
export function whoIsWaitedFor(status: CaseStatus, parties: readonly WaitingParty[]): string {
  if (ENDED_STATUSES.includes(status) || status === "paused" || status === "in_mediation") return "nobody";
  if (status === "enquiry" || status === "concluded") return "practice";
  const waiting = concerned(status, parties);
  const party = waiting.find((one) => NEXT_ACTOR[one.status] === "party");
  if (party) return party.partyId;
  const isReadyToStart = status === "ready" && waiting.every(hasSigned);
  const isForUs =
    isReadyToStart || waiting.length === 0 || waiting.some((one) => NEXT_ACTOR[one.status] === "practice");
  return isForUs ? "practice" : "nobody";
}
