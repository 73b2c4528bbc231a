import { ENDED_STATUSES, partyStatusName, type PartyStatus, type CaseStatus } from "@app/shared/case-states";
import type { Case, CaseRow } from "@app/shared/cases";

const DAY_MS = 86_400_000;

export const daysSince = (instant: string): number => Math.floor((Date.now() - Date.parse(instant)) / DAY_MS);

const PARTY_TASKS: Partial<Record<PartyStatus, string>> = {
  invited: "to answer the invitation",
  responded: "to complete the intake",
  miam_missed: "to agree a new assessment meeting",
  suitable: "to sign the agreement to mediate",
  suitable_with_measures: "to sign the agreement to mediate",
};

const OUR_TASKS: Partial<Record<PartyStatus, string>> = {
  to_invite: "Invite",
  intake_done: "Book the assessment meeting of",
  miam_attended: "Decide on the suitability of",
  no_response: "Decide what follows the silence of",
  refused: "Decide what follows the refusal of",
  not_suitable: "Tell what follows to",
};

const PARTY_STEPS: Partial<Record<PartyStatus, string>> = {
  invited: "Reply to invitation",
  responded: "Complete intake",
  miam_missed: "New assessment meeting",
  suitable: "Sign agreement",
  suitable_with_measures: "Sign agreement",
};

const OUR_STEPS: Partial<Record<PartyStatus, string>> = {
  to_invite: "Invite",
  intake_done: "Book assessment meeting",
  miam_attended: "Decide suitability",
  no_response: "Decide what follows",
  refused: "Decide what follows",
  not_suitable: "Tell what follows",
};

const STATUS_STEPS: Partial<Record<CaseStatus, string>> = {
  enquiry: "Decide conflict check",
  in_mediation: "Next session",
  paused: "Review pause",
  concluded: "Close the case",
};

/** The same in two or three words, for a list. */
export function shortStepOf({ status, parties, waitingFor }: CaseRow): string {
  const party = parties.find(({ partyId }) => partyId === waitingFor);
  if (party) return PARTY_STEPS[party.status] ?? "Act next";
  if (STATUS_STEPS[status]) return STATUS_STEPS[status];
  const ours = waitingFor === "practice" ? parties.find((each) => OUR_STEPS[each.status]) : undefined;
  if (ours) return `${OUR_STEPS[ours.status]}: ${ours.label}`;
  return waitingFor === "practice" ? "Move the case on" : "";
}

/** What happens next in a case, in one sentence, and whom it waits for. */
export function nextStepOf(theCase: Case): { title: string; detail: string } {
  const { status, parties, waitingFor, waitingSince } = theCase;
  const days = daysSince(waitingSince);
  const since = days < 1 ? "Since today." : `For ${days === 1 ? "1 day" : `${days} days`}.`;
  if (ENDED_STATUSES.includes(status)) return { title: "This case is over", detail: "Nothing is due." };
  const party = parties.find(({ partyId }) => partyId === waitingFor);
  if (party)
    return {
      title: `Next: ${party.name} ${PARTY_TASKS[party.status] ?? "to act"}`,
      detail: `${partyStatusName(theCase.domain, party.status)}. ${since}`,
    };
  if (waitingFor !== "practice") return { title: "On track", detail: "The case waits for nobody now." };
  if (status === "enquiry")
    return { title: "Next: decide the conflict check", detail: `Then the intake begins. ${since}` };
  if (status === "concluded") return { title: "Next: close the case", detail: since };
  const ours = parties.find((each) => OUR_TASKS[each.status]);
  return ours
    ? { title: `Next: ${OUR_TASKS[ours.status]?.toLowerCase() ?? ""} ${ours.name}`, detail: `It is our turn. ${since}` }
    : { title: "Next: move the case on", detail: `It is our turn. ${since}` };
}
