import { cutText } from "@app/shared/cut-text";

export const TOLD_NAMES_MAX_LENGTH = 200;
const MORE_MAX_LENGTH = 20;

/**
 * Whom the history names. Of a mail of no case the first alone: whoever sees that client reads the line, and the others
 * may be nobody whom they see.
 */
export function toldNames([first = "", ...others]: readonly string[], { caseId }: { caseId: string | null }): string {
  if (caseId !== null || others.length === 0) return cutText([first, ...others].join(", "), TOLD_NAMES_MAX_LENGTH);
  const more = others.length === 1 ? "one other" : `${others.length} others`;
  return `${cutText(first, TOLD_NAMES_MAX_LENGTH - MORE_MAX_LENGTH)} and ${more}`;
}
