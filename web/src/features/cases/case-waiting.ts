import {
  type CasePlace,
  type CaseStatus,
  ENDED_STATUSES,
  firstMeetingWord,
  isTakingPart,
  partyStatusName,
  type PartyStatus,
} from "@app/shared/case-states";
import { isLeftAlone } from "@app/shared/case-waiting";
import type { Case } from "@app/shared/cases";
import type { Region } from "@app/shared/regions";
import type { CaseRow } from "@app/shared/case-rows";

const DAY_MS = 86_400_000;

export const daysSince = (instant: string): number => Math.floor((Date.now() - Date.parse(instant)) / DAY_MS);

type Words = Partial<Record<PartyStatus, string>>;

const partyTasks = (place: CasePlace): Words => ({
  invited: "to answer the invitation",
  responded: "to complete the intake",
  miam_missed: `to agree a new ${firstMeetingWord(place)}`,
  suitable: "to sign the agreement to mediate",
  suitable_with_measures: "to sign the agreement to mediate",
});

const ourTasks = (place: CasePlace): Words => ({
  to_invite: "invite",
  intake_done: `book the ${firstMeetingWord(place)} of`,
  miam_attended: "decide on the suitability of",
  no_response: "decide what follows the silence of",
  refused: "decide what follows the refusal of",
  not_suitable: "tell what follows to",
  withdrawn: "decide what follows the withdrawal of",
  died: "decide what follows the death of",
});

const partySteps = (place: CasePlace): Words => ({
  invited: "Reply to invitation",
  responded: "Complete intake",
  miam_missed: `New ${firstMeetingWord(place)}`,
  suitable: "Sign agreement",
  suitable_with_measures: "Sign agreement",
});

const ourSteps = (place: CasePlace): Words => ({
  to_invite: "Invite",
  intake_done: `Book ${firstMeetingWord(place)}`,
  miam_attended: "Decide suitability",
  no_response: "Decide what follows",
  refused: "Decide what follows",
  not_suitable: "Tell what follows",
  withdrawn: "Decide what follows",
  died: "Decide what follows",
});

const STATUS_STEPS: Partial<Record<CaseStatus, string>> = {
  enquiry: "Begin the intake",
  in_mediation: "Next session",
  paused: "Review pause",
  concluded: "Close the case",
};

/** Whoever came to us first is not invited; before the other is approached, only they are waited for. */
const FIRST_CONTACT = { task: "note the first contact of", step: "First contact" };

const GONE: readonly PartyStatus[] = ["withdrawn", "died"];

/** Whom our next task is about: whoever left, once only one side is there. */
function oursIn<Party extends CaseRow["parties"][number]>(parties: readonly Party[], tasks: Words): Party | undefined {
  const isAlone = isLeftAlone(parties);
  return parties.find(
    (party) => tasks[party.status] && (isAlone ? !isTakingPart(party) : !GONE.includes(party.status)),
  );
}

/** The same in two or three words, for a list. */
export function shortStepOf({ domain, status, parties, waitingFor }: CaseRow, region: Region): string {
  const place = { domain, region };
  const party = parties.find(({ partyId }) => partyId === waitingFor);
  if (party) return partySteps(place)[party.status] ?? "Act next";
  const steps = ourSteps(place);
  const ours = waitingFor === "practice" ? oursIn(parties, steps) : undefined;
  const ofCase = STATUS_STEPS[status];
  if (ofCase && !(ours && status === "paused")) return ofCase;
  if (ours && ours.status === "to_invite" && status === "intake" && ours === parties[0])
    return `${FIRST_CONTACT.step}: ${ours.label}`;
  if (ours) return `${steps[ours.status]}: ${ours.label}`;
  return waitingFor === "practice" ? "Move the case on" : "";
}

/** What is due besides the step of the case itself. */
interface Due {
  /** For somebody's safety, in words. */
  safety: readonly string[];
  hasTask: boolean;
  /** The conflict check is yet to be decided, or anew. */
  isConflictOpen: boolean;
}

/** What happens next in a case, in one sentence, and whom it waits for. */
export function nextStepOf(
  theCase: Case,
  region: Region,
  { safety, hasTask, isConflictOpen }: Due,
): { title: string; detail: string } {
  const place = { domain: theCase.domain, region };
  const { status, parties, waitingFor, waitingSince } = theCase;
  const days = daysSince(waitingSince);
  const howLong = days < 1 ? "since today" : `for ${days === 1 ? "1 day" : `${days} days`}`;
  const since = `${howLong.charAt(0).toUpperCase()}${howLong.slice(1)}.`;
  if (ENDED_STATUSES.includes(status)) {
    const isNothingDue = safety.length === 0 && !hasTask;
    return { title: "This case is over", detail: isNothingDue ? "Nothing is due." : "" };
  }
  const party = parties.find(({ partyId }) => partyId === waitingFor);
  if (party)
    return {
      title: `Next: ${party.name} ${partyTasks(place)[party.status] ?? "to act"}`,
      detail: `${partyStatusName(place, party.status)}. ${since}`,
    };
  if (waitingFor !== "practice") {
    if (status === "paused")
      return { title: "Mediation is paused", detail: `${since} It goes on, or ends, when you move the case on.` };
    return safety.length > 0
      ? { title: "Safety comes first", detail: "" }
      : { title: "No step is due", detail: "The case waits for nobody now." };
  }
  if (status === "enquiry") {
    const first = isConflictOpen ? "An open conflict check comes first. " : "";
    const isUnderWay = parties.some((one) => one.status !== "to_invite");
    return isUnderWay
      ? {
          title: "Next: move the case on to Intake",
          detail: `People in it were heard or asked already, and the board shows no enquiries. ${first}${since}`,
        }
      : { title: "Next: begin the intake", detail: `${first}${since}` };
  }
  if (status === "concluded") return { title: "Next: close the case", detail: since };
  const tasks = ourTasks(place);
  const ours = oursIn(parties, tasks);
  const isFirst = ours?.role === "initiator" && ours.status === "to_invite";
  return ours
    ? {
        title: `Next: ${isFirst ? FIRST_CONTACT.task : (tasks[ours.status] ?? "")} ${ours.name}`,
        detail: `Waiting for us ${howLong}.`,
      }
    : { title: "Next: move the case on", detail: `Waiting for us ${howLong}.` };
}
