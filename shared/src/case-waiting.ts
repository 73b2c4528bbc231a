// Who has to act next in a case. Free of zod.
import {
  type CaseStatus,
  countSides,
  ENDED_STATUSES,
  hasSigned,
  isTakingPart,
  type PartyStatus,
  sidesTakingPart,
} from "./case-states.ts";

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
  withdrawn: "practice",
  died: "practice",
};

export interface WaitingParty {
  partyId: string;
  side: string;
  role: "initiator" | "respondent" | "participant";
  status: PartyStatus;
}

/** The parties whose steps matter in this state: before the second is approached, only the first. */
function concerned<P extends WaitingParty>(status: CaseStatus, parties: readonly P[]): readonly P[] {
  if (status === "intake") return parties.filter(({ role }) => role === "initiator");
  if (status === "awaiting_second_party") return parties.filter(({ role }) => role !== "initiator");
  return parties.filter(isTakingPart);
}

/** Whether all but one side have left: nothing that the others do leads to mediation, until we decide what follows. */
export const isLeftAlone = (parties: readonly Omit<WaitingParty, "role">[]): boolean =>
  countSides(parties) > 1 && sidesTakingPart(parties) < 2;

/** Of whoever came first this is as far as they go before the others are asked: nobody signs alone. */
const isSuitable = ({ status }: WaitingParty): boolean => status === "suitable" || status === "suitable_with_measures";

/** The party that is waited for, or `practice`, or `nobody`. */
export function whoIsWaitedFor<P extends WaitingParty>(status: CaseStatus, parties: readonly P[]): string {
  if (ENDED_STATUSES.includes(status) || status === "in_mediation") return "nobody";
  if (status === "enquiry" || status === "concluded") return "practice";
  // Whoever came first goes to their own meeting all the same.
  if (status !== "intake" && isLeftAlone(parties)) return "practice";
  if (status === "paused") return "nobody";
  const waiting = concerned(status, parties);
  const isDone = (one: P) => hasSigned(one) || (status === "intake" && isSuitable(one));
  const party = waiting.find((one) => NEXT_ACTOR[one.status] === "party" && !isDone(one));
  if (party) return party.partyId;
  const isForUs = waiting.every(isDone) || waiting.some((one) => NEXT_ACTOR[one.status] === "practice");
  return isForUs ? "practice" : "nobody";
}
