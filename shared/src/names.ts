// Whole names as people type them: "Tim Three" and "Three, Tim" are the same. Free of zod.

export const NAME_MAX_LENGTH = 30;
export const NAME_PATTERN = /^[\p{L}\p{M}\p{N}\p{Zs}.\-'’&]+$/u;
export const NAME_HINT = "Use letters, spaces, hyphens and apostrophes";

/** What stands after a name and is none. */
const ADDITION = /^(jr|jnr|sr|snr|ii|iii|iv|phd|md|obe|mbe|cbe|kc|qc|esq|ltd|inc|llp|llc|plc)\.?$/i;

/** Without the commas that somebody left at its ends. */
export function cleanName(name: string): string {
  const text = name.replace(/\s+/g, " ");
  const isKept = (index: number) => !" ,;".includes(text.charAt(index));
  let [start, end] = [0, text.length];
  while (start < end && !isKept(start)) start += 1;
  while (end > start && !isKept(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** First and last name; one word alone is a last name. */
export function partsOfName(whole: string): { firstName: string; lastName: string } {
  const [name = "", first] = cleanName(whole)
    .split(/ ?, ?/)
    .filter((part) => part && !ADDITION.test(part));
  if (first !== undefined) return { firstName: first, lastName: name };
  const words = name.split(" ");
  return { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}

/** By what a letter addresses somebody of whom only the whole name is known; empty where it is none. */
export function givenName(whole: string): string {
  const { firstName, lastName } = partsOfName(whole);
  return (firstName || lastName).split(" ", 1)[0] ?? "";
}
