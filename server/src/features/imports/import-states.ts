import type { ImportStatus } from "@app/shared/import-states";
import { wrongState } from "../../core/errors.ts";

type Next = ImportStatus | "discarded";

const NEXT: Record<ImportStatus, readonly Next[]> = {
  mapping: ["checking", "discarded"],
  checking: ["mapping"],
  checked: ["importing", "checking", "discarded"],
  importing: ["cancelled"],
  cancelled: ["importing", "undoing"],
  imported: ["undoing"],
  undoing: [],
  undone: ["checking", "discarded"],
  failed: ["importing", "undoing"],
};

const STATUS_WORDS: Record<ImportStatus, string> = {
  mapping: "waits for its columns",
  checking: "is being checked",
  checked: "is checked",
  importing: "is being imported",
  cancelled: "was stopped",
  imported: "is done",
  undoing: "is being undone",
  undone: "was undone",
  failed: "has failed",
};

const NEXT_WORDS: Record<Next, string> = {
  mapping: "stop it",
  checking: "check it",
  checked: "check it",
  importing: "import it",
  cancelled: "stop it",
  imported: "import it",
  undoing: "undo it",
  undone: "undo it",
  failed: "stop it",
  discarded: "discard it",
};

export function assertMayBecome(status: ImportStatus, next: Next): void {
  if (NEXT[status].includes(next)) return;
  const possible = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    NEXT[status].map((one) => NEXT_WORDS[one]),
  );
  throw wrongState(`This import ${STATUS_WORDS[status]}. You can ${possible || "wait until that is done"}.`);
}
