// The days of one party's way, and which of them cannot have come before which.
import { isTakingPart, type PartyStatus } from "./case-states.ts";
import type { CaseDomain } from "./case-transitions.ts";
import { agreesSince, type Contacting, firstSide } from "./contact-agreements.ts";

export type WayDay = "contact_agreed" | "invited" | "answered" | "intake_done" | "miam_held" | "signed" | "left";

/** What is known of each: some come more than once. One that is not there happened before the practice, or not at all. */
export type WayDays = { [what in WayDay]?: { first: string; last: string } | undefined };

/** Each with those that come before it: with the first of them where it may come again, with the last where it ends them. */
const BEFORE: Record<WayDay, Partial<Record<WayDay, "first" | "last">>> = {
  contact_agreed: {},
  invited: { contact_agreed: "last", left: "last" },
  answered: { invited: "first", left: "last" },
  // Whoever comes has answered: the answer may be written down only then.
  intake_done: {},
  miam_held: {},
  signed: { intake_done: "first", miam_held: "first" },
  left: { invited: "first", answered: "last", intake_done: "last", miam_held: "last", signed: "last" },
};

/** What cannot be put right to a day after this one, though it may be written down only then. */
const NOT_AFTER: Partial<Record<WayDay, WayDay>> = { answered: "miam_held" };

const OF_STATUS: Partial<Record<PartyStatus, WayDay>> = {
  invited: "invited",
  responded: "answered",
  intake_done: "intake_done",
  miam_attended: "miam_held",
  agreement_signed: "signed",
  no_response: "left",
  refused: "left",
  withdrawn: "left",
};
export const wayDayOf = (status: PartyStatus): WayDay | null => OF_STATUS[status] ?? null;

const HAPPENED = {
  contact_agreed: "it was agreed that the others may be contacted",
  invited: "the first invitation was made",
  answered: "the answer came",
  intake_done: "the intake was done",
  miam_held: "the first meeting was held",
  signed: "the agreement to mediate was signed",
  left: "it was recorded that they take no part",
} as const satisfies Record<WayDay, string>;
export const wayDayName = (what: WayDay): string => HAPPENED[what];

export interface Bound {
  what: WayDay;
  on: string;
}

/** The last of the days before which this cannot have happened; null where none is known. */
export function earliestOf(what: WayDay, days: WayDays): Bound | null {
  const bounds = boundsOf(BEFORE[what], days);
  return bounds.toSorted((one, other) => one.on.localeCompare(other.on)).at(-1) ?? null;
}

/** The first of the days after which this cannot have happened: what is corrected stands among them already. */
export function latestOf(what: WayDay, days: WayDays): Bound | null {
  const bounds = wayDaysIn(days).flatMap((after) => {
    const on = BEFORE[after][what] || NOT_AFTER[what] === after ? days[after]?.last : undefined;
    return on ? [{ what: after, on }] : [];
  });
  return bounds.toSorted((one, other) => one.on.localeCompare(other.on)).at(0) ?? null;
}

const ALL: readonly WayDay[] = ["contact_agreed", "invited", "answered", "intake_done", "miam_held", "signed", "left"];
const wayDaysIn = (days: WayDays): WayDay[] => ALL.filter((what) => days[what] !== undefined);

const boundsOf = (before: Partial<Record<WayDay, "first" | "last">>, days: WayDays): Bound[] =>
  wayDaysIn(days).flatMap((what) => {
    const which = before[what];
    const on = which && days[what]?.[which];
    return on ? [{ what, on }] : [];
  });

interface Party extends Contacting {
  intakeDoneOn: string;
  agreementSignedOn: string;
  /** Left out on a page, which knows the last days alone. */
  steps?: readonly { from: PartyStatus; to: PartyStatus; on?: string | undefined }[];
}

interface Known<P> {
  theCase: { domain: CaseDomain; parties: readonly P[] };
  party: P;
  /** The day of the step by which they left; empty where they have not, or it is not known. */
  leftOn: string;
  /** Of the invitations that they have not answered. */
  invited: readonly string[];
}

/** That there was no response is what a practice concludes: an answer of before may still turn up. */
const OUT: readonly PartyStatus[] = ["refused", "withdrawn", "died"];

/** What is recorded of one party's way. */
export function wayDaysOf<P extends Party>({ theCase, party, leftOn, invited }: Known<P>): WayDays {
  const daysOf = (to: PartyStatus, last: string) =>
    spanOf([last, ...(party.steps ?? []).flatMap((step) => (step.to === to && step.on ? [step.on] : []))], last);
  const left = OUT.includes(party.status) ? leftOn : "";
  return {
    contact_agreed: spanOf(agreedOn(theCase, party)),
    invited: spanOf(invited),
    answered: daysOf("responded", party.respondedOn),
    intake_done: daysOf("intake_done", party.intakeDoneOn),
    miam_held: daysOf("miam_attended", party.miamOn),
    signed: daysOf("agreement_signed", party.agreementSignedOn),
    left: spanOf([left]),
  };
}

function spanOf(days: readonly string[], latest = days.toSorted().at(-1) ?? ""): WayDays[WayDay] {
  return latest === "" ? undefined : { first: days.toSorted().at(0) ?? latest, last: latest };
}

/** When those on whose behalf this party is asked agreed to it. */
function agreedOn<P extends Party>({ domain, parties }: Known<P>["theCase"], { partyId }: P): string[] {
  const first = firstSide(domain, parties);
  if (first.some((one) => one.partyId === partyId)) return [];
  return first.filter(isTakingPart).flatMap(({ contactAgreement }) => agreesSince(contactAgreement) ?? []);
}
