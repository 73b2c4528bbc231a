// The states of an import. Free of zod, because every page loads it.

export const IMPORT_STATUSES = [
  "mapping",
  "checking",
  "checked",
  "importing",
  "imported",
  "cancelled",
  "undoing",
  "undone",
  "failed",
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The server works on an import in one of these. */
const RUNNING_STATUSES: readonly ImportStatus[] = ["checking", "importing", "undoing"];
export const isRunning = (status: ImportStatus): boolean => RUNNING_STATUSES.includes(status);

export const IMPORT_KINDS = ["clients", "contacts", "cases", "meetings"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_KIND_NAMES = {
  clients: "Clients",
  contacts: "Contacts",
  cases: "Cases",
  meetings: "Meetings",
} as const satisfies Record<ImportKind, string>;

interface Counted {
  status: ImportStatus;
  done: number;
  total: number;
  counts: { imported: number; undone: number; kept: number };
}

/** How far the present work is. */
export function progressOf({ status, done, total, counts }: Counted): { done: number; total: number } {
  if (status !== "undoing") return { done, total };
  return { done: counts.undone + counts.kept, total: counts.imported };
}
