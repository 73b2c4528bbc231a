// The only ways between the states of a case and of each party in it, for each kind of case, with what has to be true
// before each. Free of zod.
import type { CaseStatus, PartyStatus } from "./case-states.ts";

export const CASE_DOMAINS = ["family", "workplace", "civil", "community", "other"] as const;
export type CaseDomain = (typeof CASE_DOMAINS)[number];

/** What a way may ask for: each is looked into by the server at the moment of the step. */
export const CASE_GATES = [
  /** The conflict check of all parties, those who joined later too, is decided. */
  "conflict_check",
  /** Somebody beside whoever came first has answered. */
  "answer",
  /** Two sides take part; people on one side count once. */
  "two_sides",
  "consents",
  "screenings",
  /** Everybody who takes part came to their first meeting, in kinds of cases that have one. */
  "first_meetings",
  "agreements",
  /** Every session has its attendance and outcome. */
  "finished_sessions",
  /** No session is under way. */
  "ended_sessions",
  /** It did not end longer ago than cases are kept. */
  "retention",
] as const;
export type CaseGate = (typeof CASE_GATES)[number];

export interface CaseTransition {
  to: CaseStatus;
  gates: readonly CaseGate[];
  /** Whoever takes this way says why. */
  needsReason: boolean;
}

type CaseWays = Record<CaseStatus, readonly CaseTransition[]>;

const way = (to: CaseStatus, ...gates: CaseGate[]): CaseTransition => ({ to, gates, needsReason: false });
const reasoned = (to: CaseStatus, ...gates: CaseGate[]): CaseTransition => ({ to, gates, needsReason: true });

const READY: CaseGate[] = ["conflict_check", "two_sides", "consents", "screenings", "first_meetings"];
const STARTING: CaseGate[] = [...READY, "agreements"];

const ENDED = reasoned("terminated", "ended_sessions");
const NOT_PROCEEDING = reasoned("not_proceeding", "ended_sessions");

const FAMILY: CaseWays = {
  enquiry: [way("intake", "conflict_check"), NOT_PROCEEDING],
  intake: [
    way("awaiting_second_party", "conflict_check"),
    way("assessing", "conflict_check", "answer"),
    NOT_PROCEEDING,
  ],
  awaiting_second_party: [way("assessing", "conflict_check"), NOT_PROCEEDING],
  assessing: [way("ready", ...READY), NOT_PROCEEDING],
  ready: [way("in_mediation", ...STARTING), reasoned("assessing"), NOT_PROCEEDING],
  in_mediation: [way("concluded", "finished_sessions"), reasoned("paused"), ENDED],
  paused: [way("in_mediation", ...STARTING), way("concluded", "finished_sessions"), ENDED],
  concluded: [way("closed"), reasoned("assessing", "conflict_check")],
  closed: [reasoned("assessing", "retention", "conflict_check")],
  // The other one answers after all, or the court sends them back.
  not_proceeding: [
    reasoned("enquiry", "retention"),
    reasoned("intake", "retention", "conflict_check"),
    reasoned("awaiting_second_party", "retention", "conflict_check"),
    reasoned("assessing", "retention", "conflict_check"),
  ],
  terminated: [reasoned("assessing", "retention", "conflict_check")],
};

/** Whoever sends both, such as an employer, names both: nobody has to be won over first. */
const SENT_TOGETHER: CaseWays = {
  ...FAMILY,
  intake: [way("awaiting_second_party", "conflict_check"), way("assessing", "conflict_check"), NOT_PROCEEDING],
};

/** Lawyers agree on mediation for both: there may be no assessment meetings at all. */
const CIVIL: CaseWays = {
  ...SENT_TOGETHER,
  awaiting_second_party: [way("assessing", "conflict_check"), way("ready", ...READY), NOT_PROCEEDING],
};

/** The ways of cases, by kind. */
export const CASE_TRANSITIONS: Record<CaseDomain, CaseWays> = {
  family: FAMILY,
  workplace: SENT_TOGETHER,
  civil: CIVIL,
  community: SENT_TOGETHER,
  other: SENT_TOGETHER,
};

/**
 * Where this case may go. One that did not proceed goes on where it stood when it ended, which is not known of those that
 * began somewhere else.
 */
export function caseWays(domain: CaseDomain, status: CaseStatus, stood: CaseStatus | null): readonly CaseTransition[] {
  const ways = CASE_TRANSITIONS[domain][status];
  if (status !== "not_proceeding") return ways;
  const back: readonly CaseStatus[] =
    stood === null ? ["intake", "assessing"] : [stood === "ready" ? "assessing" : stood];
  return ways.filter(({ to }) => back.includes(to));
}

type PartyWays = Record<PartyStatus, readonly PartyStatus[]>;

const GONE = ["no_response", "refused", "withdrawn", "died"] as const satisfies readonly PartyStatus[];

/** Nobody is moved to "invited" by hand: they are where an invitation was made, which is recorded with its day and channel. */
const OF_FAMILY: PartyWays = {
  // Whoever hears of it elsewhere may say no before anybody asked.
  to_invite: ["responded", "refused", "withdrawn", "died"],
  invited: ["responded", "no_response", "refused", "withdrawn", "died"],
  // A late answer is still an answer.
  no_response: ["responded", "refused", "withdrawn", "died"],
  // They say it again in another round, or say it themselves after others did.
  refused: ["responded", "refused", "withdrawn", "died"],
  responded: ["intake_done", "no_response", "refused", "withdrawn", "died"],
  intake_done: ["miam_booked", "no_response", "refused", "withdrawn", "died"],
  miam_booked: ["miam_attended", "miam_missed", "intake_done", "refused", "withdrawn", "died"],
  miam_missed: ["miam_booked", "no_response", "refused", "withdrawn", "died"],
  // Whoever came once may still go quiet, or say no.
  miam_attended: ["suitable", "suitable_with_measures", "not_suitable", ...GONE],
  suitable: ["agreement_signed", "suitable_with_measures", "not_suitable", ...GONE],
  suitable_with_measures: ["agreement_signed", "suitable", "not_suitable", ...GONE],
  not_suitable: ["responded", "withdrawn", "died"],
  agreement_signed: ["not_suitable", ...GONE],
  active: ["not_suitable", "no_response", "withdrawn", "died"],
  done: ["withdrawn", "died"],
  // They say it themselves after others did.
  withdrawn: ["responded", "withdrawn", "died"],
  died: [],
};

/** Without assessment meetings by law, whoever did the intake may be assessed at once. */
const WITHOUT_MEETING: PartyWays = {
  ...OF_FAMILY,
  intake_done: [
    "miam_booked",
    "suitable",
    "suitable_with_measures",
    "not_suitable",
    "no_response",
    "refused",
    "withdrawn",
    "died",
  ],
  // They may come to a meeting of their own all the same.
  suitable: [...OF_FAMILY.suitable, "miam_booked"],
  suitable_with_measures: [...OF_FAMILY.suitable_with_measures, "miam_booked"],
};

/** The ways of parties, by kind of case. In mediation, and done with it, they come together with their case. */
export const PARTY_TRANSITIONS: Record<CaseDomain, PartyWays> = {
  family: OF_FAMILY,
  workplace: OF_FAMILY,
  civil: WITHOUT_MEETING,
  community: WITHOUT_MEETING,
  other: WITHOUT_MEETING,
};

const RETURNING: readonly PartyStatus[] = ["responded", "intake_done"];

/** Where this party may go: whoever attended their first meeting before they left, and is back, need not come again. */
export const partyWays = (
  domain: CaseDomain,
  { status, miamOn }: { status: PartyStatus; miamOn: string },
): readonly PartyStatus[] => {
  const ways = PARTY_TRANSITIONS[domain][status];
  return RETURNING.includes(status) && miamOn !== "" ? ["miam_attended", ...ways] : ways;
};

/** Whether nobody is assessed there who did not come to a first meeting. */
export const hasFirstMeeting = (domain: CaseDomain): boolean => PARTY_TRANSITIONS[domain] === OF_FAMILY;

type Follow = readonly (readonly [PartyStatus, PartyStatus])[];

/** What the parties reach because their case did: from the one to the other. */
const PARTIES_FOLLOW: Partial<Record<CaseStatus, Follow>> = {
  in_mediation: [
    ["agreement_signed", "active"],
    ["done", "active"],
  ],
  concluded: [["active", "done"]],
};

/** Sent back to mediation, they are assessed and sign anew; that they came to their meeting stays. */
const SENT_BACK: Follow = (["suitable", "suitable_with_measures", "agreement_signed", "active", "done"] as const).map(
  (status) => [status, "miam_attended"],
);

/** The same of one step of a case. */
export const partiesFollow = (from: CaseStatus, to: CaseStatus): Follow =>
  isSentBack({ from, to }) ? SENT_BACK : (PARTIES_FOLLOW[to] ?? []);

/** Where a party stands whom their case moved there: in kinds of cases without first meetings, whoever came to none did the intake. */
export const followedTo = (domain: CaseDomain, to: PartyStatus, { miamOn }: { miamOn: string }): PartyStatus =>
  to === "miam_attended" && miamOn === "" && !hasFirstMeeting(domain) ? "intake_done" : to;

const MEDIATED: readonly CaseStatus[] = ["terminated", "concluded", "closed"];

/** Whether this step begins another round of a case whose mediation was over. */
export const isSentBack = ({ from, to }: { from: CaseStatus; to: CaseStatus }): boolean =>
  MEDIATED.includes(from) && to === "assessing";
