// The states of a lead, and the only ways between them. Free of zod.

export const LEAD_STATUSES = ["new", "contacted", "qualified", "awaiting_p2", "converted", "lost"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export const LEAD_STATUS_NAMES = {
  new: "New",
  contacted: "Contacted",
  qualified: "Qualified",
  awaiting_p2: "Awaiting P2",
  converted: "Converted",
  lost: "Lost",
} as const satisfies Record<LeadStatus, string>;

/** What a step asks of whoever takes it: nothing, a reason, or the form that opens the case. */
export type LeadStep = "move" | "lose" | "convert" | "reopen";

export interface LeadTransition {
  to: LeadStatus;
  step: LeadStep;
}

const LOSE: LeadTransition = { to: "lost", step: "lose" };
const moveTo = (to: LeadStatus): LeadTransition => ({ to, step: "move" });

export const LEAD_TRANSITIONS: Record<LeadStatus, readonly LeadTransition[]> = {
  new: [moveTo("contacted"), LOSE],
  contacted: [moveTo("qualified"), LOSE],
  qualified: [moveTo("awaiting_p2"), LOSE],
  awaiting_p2: [{ to: "converted", step: "convert" }, LOSE],
  converted: [],
  lost: [{ to: "new", step: "reopen" }],
};

/** The states that are moved to without anything else being asked. */
export const MOVED_TO = ["contacted", "qualified", "awaiting_p2"] as const satisfies readonly LeadStatus[];

/** How a lead comes from one state into another; null where it cannot. */
export const stepBetween = (from: LeadStatus, to: LeadStatus): LeadStep | null =>
  LEAD_TRANSITIONS[from].find((transition) => transition.to === to)?.step ?? null;

export const isOpenLead = (status: LeadStatus): boolean => status !== "converted" && status !== "lost";

/** Where a lead may go from here, in words. */
export function nextStatesOf(status: LeadStatus): string {
  const names = LEAD_TRANSITIONS[status].map(({ to, step }) =>
    step === "reopen" ? "New (reopened)" : LEAD_STATUS_NAMES[to],
  );
  return names.length > 0 ? names.join(" or ") : "nothing: it ends there";
}

/** A lead that was lost can be taken up again for so long. */
export const LEAD_REOPEN_MONTHS = 12;

export const LOST_REASONS = [
  "price",
  "no_response_p1",
  "no_response_p2",
  "p2_declined",
  "unsuitable",
  "conflict",
  "chose_other",
  "court_route",
  "legal_aid_refused",
  "reconciled",
  "duplicate",
  "other",
] as const;
export type LostReason = (typeof LOST_REASONS)[number];

export const LOST_REASON_NAMES = {
  price: "Price",
  no_response_p1: "No answer from P1",
  no_response_p2: "No answer from P2",
  p2_declined: "P2 declined",
  unsuitable: "Not suitable",
  conflict: "Conflict of interest",
  chose_other: "Chose another service",
  court_route: "Goes to court",
  legal_aid_refused: "Legal aid refused",
  reconciled: "Reconciled",
  duplicate: "Duplicate",
  other: "Another reason",
} as const satisfies Record<LostReason, string>;
