export const MAILING_STATES = ["ready", "sending", "paused", "done", "cancelled"] as const;
export type MailingState = (typeof MAILING_STATES)[number];

/** Of one recipient. */
export const ITEM_STATES = ["waiting", "sent", "failed", "skipped", "uncertain"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const mayMailingBecome: Record<MailingState, readonly MailingState[]> = {
  ready: ["sending", "cancelled"],
  sending: ["paused", "done", "cancelled"],
  paused: ["sending", "cancelled"],
  // Those that failed can be tried again.
  done: ["sending"],
  cancelled: [],
};
