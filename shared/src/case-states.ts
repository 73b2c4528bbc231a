// The states of a case and of each party in it, and the only ways between them. Free of zod.

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
  awaiting_second_party: "Awaiting P2",
  assessing: "Assessing",
  ready: "Ready",
  in_mediation: "In mediation",
  paused: "Paused",
  concluded: "Concluded",
  closed: "Closed",
  not_proceeding: "Not proceeding",
  terminated: "Terminated",
} as const satisfies Record<CaseStatus, string>;

export const CASE_TRANSITIONS: Record<CaseStatus, readonly CaseStatus[]> = {
  enquiry: ["intake"],
  intake: ["awaiting_second_party", "not_proceeding"],
  awaiting_second_party: ["assessing", "not_proceeding"],
  assessing: ["ready", "not_proceeding"],
  ready: ["in_mediation"],
  in_mediation: ["concluded", "paused", "terminated"],
  paused: ["in_mediation"],
  concluded: ["closed"],
  closed: ["in_mediation"],
  not_proceeding: [],
  terminated: [],
};

/** A case in one of these states is over; nobody is waited for. */
export const ENDED_STATUSES: readonly CaseStatus[] = ["closed", "not_proceeding", "terminated"];
/** These ways out need a reason. */
export const REASONED_STATUSES: readonly CaseStatus[] = ["not_proceeding", "terminated"];
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
} as const satisfies Record<PartyStatus, string>;

export const PARTY_TRANSITIONS: Record<PartyStatus, readonly PartyStatus[]> = {
  to_invite: ["invited", "responded", "withdrawn"],
  invited: ["responded", "no_response", "refused", "withdrawn"],
  // A late answer is still an answer.
  no_response: ["responded", "refused", "withdrawn"],
  refused: ["responded", "withdrawn"],
  responded: ["intake_done", "refused", "withdrawn"],
  intake_done: ["miam_booked", "withdrawn"],
  miam_booked: ["miam_attended", "miam_missed", "withdrawn"],
  miam_missed: ["miam_booked", "withdrawn"],
  miam_attended: ["suitable", "suitable_with_measures", "not_suitable", "withdrawn"],
  suitable: ["agreement_signed", "not_suitable", "withdrawn"],
  suitable_with_measures: ["agreement_signed", "not_suitable", "withdrawn"],
  not_suitable: ["withdrawn"],
  agreement_signed: ["active", "withdrawn"],
  active: ["done", "withdrawn"],
  done: [],
  withdrawn: [],
};

const NOT_TAKING_PART: readonly PartyStatus[] = ["no_response", "refused", "not_suitable", "withdrawn"];

/** Whoever is in one of these has left the case: what is shared from then on is not for them. */
export const LEFT_PARTY_STATUSES: readonly PartyStatus[] = ["refused", "not_suitable", "withdrawn"];

/** These need a reason too. */
export const REASONED_PARTY_STATUSES: readonly PartyStatus[] = ["refused", "not_suitable", "withdrawn"];

/** Whether this party takes part in what comes next. */
export const isTakingPart = (party: { status: PartyStatus }): boolean => !NOT_TAKING_PART.includes(party.status);

const SUITABLE: readonly PartyStatus[] = ["suitable", "suitable_with_measures", "agreement_signed", "active", "done"];
export const isSuitable = (party: { status: PartyStatus }): boolean => SUITABLE.includes(party.status);

const SIGNED: readonly PartyStatus[] = ["agreement_signed", "active", "done"];
export const hasSigned = (party: { status: PartyStatus }): boolean => SIGNED.includes(party.status);

/** What a party may be marked as after the assessment meeting took place. */
const MIAM_HELD: readonly PartyStatus[] = ["miam_attended", "not_suitable", ...SUITABLE];
export const hasAttendedMiam = (party: { status: PartyStatus }): boolean => MIAM_HELD.includes(party.status);
