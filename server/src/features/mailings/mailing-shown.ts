// What people are told of a recipient: what was asked of the whole mailing holds for everybody at once, before each is
// changed.
import { ITEM_STATES, type ItemState } from "@app/shared/mailing-states";
import type { MailingDoc, MailingItemDoc, StoredState } from "./mailings.model.ts";

type Whole = Pick<MailingDoc, "state" | "isRetrying">;

const CANCELLED = "The mailing was cancelled before it came to this person.";
const LEFT_BY_THEN =
  "The mail was on its way when the mailing was cancelled, and it may have arrived. Ask whether it came.";

export function shownAs({ state: whole, isRetrying = false }: Whole, state: StoredState): ItemState {
  if (whole === "cancelled" && state === "waiting") return "skipped";
  if (state === "leaving") return whole === "cancelled" ? "uncertain" : "waiting";
  return state === "failed" && isRetrying ? "waiting" : state;
}

/** All that is stored of those who are shown in one of these states. */
export const storedAs = (mailing: Whole, shown: readonly ItemState[]): StoredState[] =>
  [...ITEM_STATES, "leaving" as const].filter((state) => shown.includes(shownAs(mailing, state)));

export function shownReason(mailing: Whole, { state, reason }: Pick<MailingItemDoc, "state" | "reason">): string {
  if (shownAs(mailing, state) === state) return reason;
  if (mailing.state !== "cancelled") return state === "failed" ? "" : reason;
  return state === "waiting" ? CANCELLED : LEFT_BY_THEN;
}
