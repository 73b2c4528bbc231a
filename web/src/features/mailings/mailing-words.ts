import type { ItemState, MailingState } from "@app/shared/mailing-states";

export const STATE_NAMES: Record<MailingState, string> = {
  ready: "Ready to send",
  sending: "Being sent",
  paused: "Paused",
  done: "Sent",
  cancelled: "Cancelled",
};

export const ITEM_STATE_NAMES: Record<ItemState, string> = {
  waiting: "Waits",
  sent: "Sent",
  failed: "Not sent",
  skipped: "Left out",
  uncertain: "May have arrived",
};
