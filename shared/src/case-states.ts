// The states of a case and of each party in it, and the only ways between them. Free of zod.
import type { Region } from "./regions.ts";

export const CASE_STATUSES = [
  "enquiry",
  "intake",
  "awaiting_second_party",
  "assessing",
  "ready",
  "in_mediation",
  "paused",
  "concluded",
  "closed",
  "not_proceeding",
  "terminated",
] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const CASE_STATUS_NAMES = {
  enquiry: "Enquiry",
  intake: "Intake",
  awaiting_second_party: "Awaiting other participant",
  assessing: "Assessing",
  ready: "Ready",
  in_mediation: "In mediation",
  paused: "Paused",
  concluded: "Concluded",
  closed: "Closed",
  not_proceeding: "Not proceeding",
  terminated: "Ended without agreement",
} as const satisfies Record<CaseStatus, string>;

/** The same of a case as it stands: one that ended early may have come to something. */
export const caseStatusName = ({
  status,
  outcome,
}: {
  status: CaseStatus;
  outcome?: { code: string } | null | undefined;
}): string =>
  status === "terminated" && (outcome?.code === "agreed_some" || outcome?.code === "agreed_not_written")
    ? "Ended with proposals on some issues"
    : CASE_STATUS_NAMES[status];

/** A case in one of these states is over; nobody is waited for. */
export const ENDED_STATUSES: readonly CaseStatus[] = ["closed", "not_proceeding", "terminated"];
/** Whether a case that comes there is over, or mediation in it is. */
export const isEnd = (status: CaseStatus): boolean => status === "concluded" || ENDED_STATUSES.includes(status);
/** A case that ends in one of these did so before its conclusion: why is chosen, and said in words. */
export const ENDED_EARLY: readonly CaseStatus[] = ["not_proceeding", "terminated"];

/** Whether the day is said on which a case came there, because what happened then may be recorded later; of one that is closed it is known. */
export const endsOnDay = (to: CaseStatus): boolean => to === "concluded" || ENDED_EARLY.includes(to);

/** What ends there, in a sentence: in a case that does not proceed mediation never began. */
export const whatEnded = (to: CaseStatus): string => (to === "not_proceeding" ? "the case" : "mediation");

/** Why a case ends before its conclusion. */
export const ENDINGS = [
  "no_answer",
  "refused",
  "withdrew",
  "not_safe",
  "conflict_of_interest",
  "reconciled",
  "settled_themselves",
  "other_route",
  "court",
  "broken_down",
  "died",
  "opened_in_error",
  "other",
] as const;
export type Ending = (typeof ENDINGS)[number];

/** Of these mediation is no longer needed; where it had begun they are outcomes, and nothing broke down. */
const RESOLVED = ["reconciled", "settled_themselves"] as const satisfies readonly Ending[];
export const isResolved = (ending: Ending): ending is (typeof RESOLVED)[number] =>
  RESOLVED.some((resolved) => resolved === ending);

/** Whether somebody of the case died: nothing of it is for anybody any more, because it may be whoever it is sent to. */
export const isEndedByDeath = ({ ending }: { ending: Ending | null }): boolean => ending === "died";

/** The endings to choose from where a case ends in this state: what never began did not break down. */
export const endingsOf = (to: CaseStatus): readonly Ending[] => {
  if (to === "not_proceeding") return ENDINGS.filter((ending) => ending !== "broken_down");
  return to === "terminated" ? ENDINGS.filter((ending) => !isResolved(ending)) : [];
};
export const ENDING_NAMES = {
  no_answer: "No answer",
  refused: "Somebody does not want mediation",
  withdrew: "Somebody withdrew",
  not_safe: "Not safe to mediate",
  conflict_of_interest: "Conflict of interest",
  reconciled: "Reconciled",
  settled_themselves: "Settled between themselves",
  other_route: "Another way than mediation",
  court: "Goes to court",
  broken_down: "Mediation broke down",
  died: "Somebody died",
  opened_in_error: "Opened in error, or twice",
  other: "Another reason",
} as const satisfies Record<Ending, string>;

/** The columns of the board, in order. */
export const BOARD_STATUSES = [
  "intake",
  "awaiting_second_party",
  "assessing",
  "ready",
  "in_mediation",
  "concluded",
] as const satisfies readonly CaseStatus[];

export const PARTY_STATUSES = [
  "to_invite",
  "invited",
  "no_response",
  "refused",
  "responded",
  "intake_done",
  "miam_booked",
  "miam_missed",
  "miam_attended",
  "suitable",
  "suitable_with_measures",
  "not_suitable",
  "agreement_signed",
  "active",
  "done",
  "withdrawn",
  "died",
] as const;
export type PartyStatus = (typeof PARTY_STATUSES)[number];

export const PARTY_STATUS_NAMES = {
  to_invite: "Not invited yet",
  invited: "Invited",
  no_response: "No response",
  refused: "Refused",
  responded: "Responded",
  intake_done: "Intake done",
  miam_booked: "MIAM booked",
  miam_missed: "MIAM missed",
  miam_attended: "MIAM attended",
  suitable: "Suitable",
  suitable_with_measures: "Suitable, with measures",
  not_suitable: "Not suitable",
  agreement_signed: "Agreement signed",
  active: "In mediation",
  done: "Done",
  withdrawn: "Withdrawn",
  died: "Died",
} as const satisfies Record<PartyStatus, string>;

/** What a case is about, and where its practice mediates: both say what the first meeting of each party is. */
export interface CasePlace {
  domain: string;
  region: Region;
}

/** A MIAM, its accredited mediator and its certificate are of the Family Procedure Rules, which hold in England and Wales. */
export const hasMiams = ({ domain, region }: CasePlace): boolean => domain === "family" && region === "england_wales";

/** The first meeting of each party alone, as it is called there. */
export const firstMeetingName = (place: CasePlace): string => (hasMiams(place) ? "MIAM" : "Individual meeting");
/** The same within a sentence. */
export const firstMeetingWord = (place: CasePlace): string => (hasMiams(place) ? "MIAM" : "individual meeting");

/** In work and other disputes, and in other laws, nobody speaks of a MIAM. */
const MEETING_NAMES: Partial<Record<PartyStatus, string>> = {
  miam_booked: "Individual meeting booked",
  miam_missed: "Individual meeting missed",
  miam_attended: "Individual meeting attended",
};

/** What a party's state is called in a case of this kind, there. */
export const partyStatusName = (place: CasePlace, status: PartyStatus): string =>
  (hasMiams(place) ? undefined : MEETING_NAMES[status]) ?? PARTY_STATUS_NAMES[status];

/** The same as it stands now: nobody mediates any more in a case that has ended. */
export const partyStandingName = (
  { status: ofCase, ...place }: CasePlace & { status: CaseStatus },
  { status }: { status: PartyStatus },
): string => (status === "active" && isEnd(ofCase) ? "Mediation ended" : partyStatusName(place, status));

/** Whoever is in one of these takes no part in the case: what is shared from then on is not for them. */
export const LEFT_PARTY_STATUSES: readonly PartyStatus[] = [
  "no_response",
  "refused",
  "not_suitable",
  "withdrawn",
  "died",
];

/** These need a reason too. */
const REASONED_PARTY_STATUSES: readonly PartyStatus[] = ["refused", "not_suitable", "withdrawn"];

/** Whether this step says why: also that somebody takes part after all who was found not suitable. */
export const isReasoned = (from: PartyStatus, to: PartyStatus): boolean =>
  REASONED_PARTY_STATUSES.includes(to) || from === "not_suitable";

/** Whether it is said, of whoever steps there, if they decided it themselves: wherever they stood, another may have told it. */
export const isOfDecision = (to: PartyStatus): boolean => to === "refused" || to === "withdrawn";

interface Decided {
  status: PartyStatus;
  lastStep: { isOwnDecision?: boolean | null | undefined } | null;
}
/** Whether it is not known from themselves that they refuse, but from others, or nobody kept from whom. */
export const isHearsay = ({ status, lastStep }: Decided): boolean =>
  status === "refused" && lastStep?.isOwnDecision !== true;

/** Whether this party takes part in what comes next. */
export const isTakingPart = (party: { status: PartyStatus }): boolean => !LEFT_PARTY_STATUSES.includes(party.status);

const UNANSWERED: readonly PartyStatus[] = ["to_invite", "invited"];
/** Whether this party takes part because they said so. */
export const hasAnswered = (party: { status: PartyStatus }): boolean =>
  isTakingPart(party) && !UNANSWERED.includes(party.status);

const SUITABLE: readonly PartyStatus[] = ["suitable", "suitable_with_measures", "agreement_signed", "active", "done"];
export const isSuitable = (party: { status: PartyStatus }): boolean => SUITABLE.includes(party.status);

/** Whether their own first meeting is behind them. */
export const wasAssessed = (party: { status: PartyStatus }): boolean =>
  party.status === "miam_attended" || party.status === "not_suitable" || isSuitable(party);

/** What a screening says of somebody. */
export const ASSESSED_STATUSES = [
  "suitable",
  "suitable_with_measures",
  "not_suitable",
] as const satisfies PartyStatus[];
export type AssessedStatus = (typeof ASSESSED_STATUSES)[number];

export const isScreened = ({ status }: { status: string }): boolean =>
  ASSESSED_STATUSES.some((assessed) => assessed === status);

export interface Sided {
  partyId: string;
  side: string;
  status: PartyStatus;
}

/** A key that those share who stand together, such as grandparents; whoever stands alone has their own. */
export const sideOf = ({ partyId, side }: Omit<Sided, "status">): string =>
  side === "" ? partyId : `side ${side.toLowerCase()}`;

/** How many sides these people make. */
export const countSides = (parties: readonly Omit<Sided, "status">[]): number => new Set(parties.map(sideOf)).size;

/** How many sides take part in what comes next. */
export const sidesTakingPart = (parties: readonly Sided[]): number => countSides(parties.filter(isTakingPart));

/** How many sides are in mediation, or may be as soon as it starts: what they agreed to is signed. */
export const sidesInMediation = (parties: readonly Sided[]): number => countSides(parties.filter(hasSigned));

/** Whether they agreed to mediate at any time, wherever they stand now. */
export const everSigned = (party: { status: PartyStatus; agreementSignedOn: string }): boolean =>
  party.agreementSignedOn !== "" || hasSigned(party);

const SIGNED: readonly PartyStatus[] = ["agreement_signed", "active", "done"];
export const hasSigned = (party: { status: PartyStatus }): boolean => SIGNED.includes(party.status);
