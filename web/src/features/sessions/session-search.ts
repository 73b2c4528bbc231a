import { optionOf } from "../../core/search.ts";

export const SESSION_DIALOGS = ["parties", "end", "lock", "safety", "time", "amend", "mistake", "strike"] as const;
export type SessionDialog = (typeof SESSION_DIALOGS)[number];

/** Which dialog of the cockpit is open: part of its address, so that Back closes it. */
export const sessionSearch = (search: Record<string, unknown>): { dialog?: SessionDialog } =>
  optionOf(search, "dialog", SESSION_DIALOGS);
