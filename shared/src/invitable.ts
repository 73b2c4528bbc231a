// Who can be asked to take part, for the first time or again.
import { type CaseStatus, isHearsay, isOfDecision, type PartyStatus } from "./case-states.ts";
import type { CaseDomain } from "./case-transitions.ts";
import { reliedUntil } from "./certificates.ts";
import { type Contacting, firstSide } from "./contact-agreements.ts";

interface Standing {
  status: PartyStatus;
  statusSince: Date | string;
  lastStep: {
    to: PartyStatus | CaseStatus;
    at: Date | string;
    on?: string | undefined;
    isOwnDecision?: boolean | null | undefined;
  } | null;
}
interface OfCase {
  domain: CaseDomain;
  parties: readonly Contacting[];
  rounds: readonly { endedAt: Date | string }[];
}

/** As things stand on this day: also whoever said no, or left, so long ago that nobody knows what they would say now. */
export const isInvitable = (party: Standing, theCase: OfCase, day: string): boolean =>
  isUndecided(party, theCase) || (isOfDecision(party.status) && isOfAnotherTime(party, theCase, day));

/**
 * Whether this party themselves decided nothing in this round of the case: also of whom others say that they refuse, and
 * who said no or left in an earlier one.
 */
export const isUndecided = (
  party: Pick<Standing, "status" | "lastStep">,
  { rounds }: Pick<OfCase, "rounds">,
): boolean =>
  UNDECIDED.includes(party.status) || isHearsay(party) || (isOfDecision(party.status) && isOfEarlier(party, rounds));
const UNDECIDED: readonly PartyStatus[] = ["to_invite", "invited", "no_response"];

const BEFORE_THEY_CAME: readonly PartyStatus[] = ["responded", "intake_done", "miam_booked", "miam_missed"];
/** Whether this party answered and has not come yet: what reminds them is recorded, and moves them nowhere. */
export const isToBeReminded = ({ status }: Pick<Standing, "status">): boolean => BEFORE_THEY_CAME.includes(status);

const isOfEarlier = ({ lastStep }: Pick<Standing, "lastStep">, rounds: OfCase["rounds"]): boolean => {
  const last = rounds.at(-1);
  return last !== undefined && lastStep !== null && new Date(lastStep.at) <= new Date(last.endedAt);
};

/**
 * Whether a certificate could not repeat any more what they said: not one of the last first meeting of whoever came first
 * or, where there was none since, not one of a meeting of this day.
 */
function isOfAnotherTime({ lastStep, statusSince }: Standing, { domain, parties }: OfCase, day: string): boolean {
  const said = lastStep?.on || new Date(lastStep?.at ?? statusSince).toISOString().slice(0, 10);
  const met = firstSide(domain, parties).map(({ miamOn }) => miamOn);
  const last = met
    .filter((on) => on >= said)
    .toSorted()
    .at(-1);
  return reliedUntil(said) < (last ?? day);
}
