// Whether each participant approves a finished document that is for all of them. Free of zod, because lists show it.
import type { DocumentKind } from "./document-kind-list.ts";

export const APPROVAL_DECISIONS = ["approved", "change"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];
export const APPROVAL_DECISION_NAMES = {
  approved: "Approves it",
  change: "Asks for a change",
} as const satisfies Record<ApprovalDecision, string>;

export const APPROVAL_WAYS = ["session", "mail", "signed", "call"] as const;
export type ApprovalWay = (typeof APPROVAL_WAYS)[number];
export const APPROVAL_WAY_NAMES = {
  session: "In the session",
  mail: "By mail",
  signed: "Signed",
  call: "On the phone",
} as const satisfies Record<ApprovalWay, string>;

/** What the participants are asked about: what was proposed, disclosed or summed up. */
export const APPROVED_KINDS: readonly DocumentKind[] = ["ofs", "mou", "parenting_plan", "session_summary"];
