import { IMPORT_KINDS, type ImportKind, type ImportStatus } from "@app/shared/import-states";

/** One and many of what is imported. */
export const KIND_WORDS: Record<ImportKind, readonly [string, string]> = {
  clients: ["client", "clients"],
  contacts: ["contact", "contacts"],
  cases: ["case", "cases"],
  meetings: ["meeting", "meetings"],
};

export const STATUS_NAMES: Record<ImportStatus, string> = {
  mapping: "Waits for its columns",
  checking: "Being checked",
  checked: "Checked, not imported yet",
  importing: "Being imported",
  imported: "Imported",
  cancelled: "Stopped",
  undoing: "Being undone",
  undone: "Undone",
  failed: "Failed",
};

export const kindNamed = (text: string | undefined): ImportKind | undefined =>
  IMPORT_KINDS.find((kind) => kind === text);

export const counted = (number: number, [one, many]: readonly [string, string], shown: string): string =>
  `${shown} ${number === 1 ? one : many}`;
