// The states of a session and of a proposal, and the only ways between them. Free of zod.

export const SESSION_STATUSES = ["scheduled", "in_progress", "ended", "locked", "cancelled", "struck"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const SESSION_STATUS_NAMES = {
  scheduled: "Scheduled",
  in_progress: "In progress",
  ended: "Ended",
  locked: "Locked",
  cancelled: "Cancelled",
  struck: "Struck",
} as const satisfies Record<SessionStatus, string>;

export const SESSION_TRANSITIONS: Record<SessionStatus, readonly SessionStatus[]> = {
  scheduled: ["in_progress", "cancelled"],
  // One that was started by mistake is called off, while nothing of it took place.
  in_progress: ["ended", "cancelled"],
  ended: ["locked", "cancelled"],
  // One that was recorded in error, as in the wrong case.
  locked: ["struck"],
  cancelled: [],
  struck: [],
};

/** In these nothing of a session may change; a locked one takes amendments. */
export const CLOSED_SESSION_STATUSES: readonly SessionStatus[] = ["locked", "cancelled", "struck"];

/** In these nothing rests on it: it never took place. */
export const OFF_SESSION_STATUSES: readonly SessionStatus[] = ["cancelled", "struck"];

/** In these an offer is answered: of one that is locked after it, as a fact of its own day. */
export const ANSWERED_SESSION_STATUSES: readonly SessionStatus[] = ["scheduled", "in_progress", "ended", "locked"];

/** In these it was held: what its meeting was stays as it is. */
export const HELD_SESSION_STATUSES: readonly SessionStatus[] = ["ended", "locked"];

/** What a meeting bears no more at which this session was held, and how what is wrong is put right. */
export function heldWords({ number, status }: { number: number; status: SessionStatus }, what: string): string {
  const then = status === "locked" ? "" : "lock it, then ";
  return `Session ${number} was held at this meeting, so ${what}. If session ${number} is recorded wrong, ${then}add an amendment to it.`;
}

export const PROPOSAL_STATUSES = ["offered", "countered", "withdrawn", "agreed_in_principle"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export const PROPOSAL_STATUS_NAMES = {
  offered: "Offered",
  countered: "Countered",
  withdrawn: "Withdrawn",
  agreed_in_principle: "Accepted in principle",
} as const satisfies Record<ProposalStatus, string>;

/** An offer becomes countered by its counter-proposal; an agreement in principle can still be taken back. */
export const PROPOSAL_TRANSITIONS: Record<ProposalStatus, readonly ProposalStatus[]> = {
  offered: ["countered", "withdrawn", "agreed_in_principle"],
  countered: ["offered", "withdrawn"],
  withdrawn: [],
  agreed_in_principle: ["withdrawn"],
};

export const ATTENDANCES = ["present", "late", "no_show"] as const;
export type Attendance = (typeof ATTENDANCES)[number];
export const ATTENDANCE_NAMES = {
  present: "Present",
  late: "Late",
  no_show: "Did not come",
} as const satisfies Record<Attendance, string>;
/** Of a session there is one more: whoever came to one that was stopped before it began attended nothing. */
export const SESSION_ATTENDANCES = [...ATTENDANCES, "not_held"] as const;
export type SessionAttendance = (typeof SESSION_ATTENDANCES)[number];
export const SESSION_ATTENDANCE_NAMES = {
  ...ATTENDANCE_NAMES,
  not_held: "Came, not held",
} as const satisfies Record<SessionAttendance, string>;
/** Whether they were at what was held. */
export const wasThere = ({ state }: { state: SessionAttendance }): boolean => state === "present" || state === "late";
/** Of somebody who was marked in error. */
export const NOT_ASKED_NAME = "Was not asked";

export const SESSION_OUTCOMES = ["continues", "agreed_all", "agreed_some", "not_agreed", "broken_off"] as const;
export type SessionOutcomeCode = (typeof SESSION_OUTCOMES)[number];
// Nothing is agreed until it is legally so: what a session reaches are proposals.
export const SESSION_OUTCOME_NAMES = {
  continues: "Mediation continues",
  agreed_all: "Proposals reached on all issues",
  agreed_some: "Proposals reached on some issues",
  not_agreed: "No proposals reached",
  broken_off: "Broken off",
} as const satisfies Record<SessionOutcomeCode, string>;

interface Timed {
  startedAt: string | null;
  endedAt: string | null;
  pausedAt: string | null;
  pausedMs: number;
}

/** How long a session has run until `at`, without its pauses; the same after a reload and on another machine. */
export function elapsedMs({ startedAt, endedAt, pausedAt, pausedMs }: Timed, at: number): number {
  if (startedAt === null) return 0;
  const until = Date.parse(pausedAt ?? endedAt ?? "") || at;
  return Math.max(0, until - Date.parse(startedAt) - pausedMs);
}
