// Whether the name that somebody signs with is the one by which they were asked. Free of zod: the page of signing loads it.

const wordsIn = (name: string): string[] =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/** No word of one is a word of the other; a name in another script, or none, is nobody's to judge. */
export function isAnotherName(typed: string, asked: string): boolean {
  const known = new Set(wordsIn(asked));
  const said = wordsIn(typed);
  return typed.trim() !== "" && known.size > 0 && !said.some((word) => known.has(word));
}
