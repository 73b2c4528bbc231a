const signs = new Intl.Segmenter("en", { granularity: "grapheme" });
/** The longest emoji of several people and colours is half as long; what is longer is no sign that anybody reads. */
const SIGN_MAX_LENGTH = 64;

/** At the most this much of a text, cut between two signs: half of an emoji or a letter without its accent is none. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = signs.segment(text.slice(0, maxLength + SIGN_MAX_LENGTH)).containing(maxLength)?.index ?? 0;
  if (maxLength - start < SIGN_MAX_LENGTH) return text.slice(0, start);
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}
