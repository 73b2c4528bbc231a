// Finding records by the beginnings of words, in a `searchTerms` index that the record keeps.
import mongoose from "mongoose";
import { foldText } from "@app/shared/text";

const REGEX_SPECIALS = /[.*+?^${}()|[\]\\]/g;
const WORDS_MAX = 6;

/** A text for a regular expression that finds it as it stands. */
export const literally = (text: string): string => text.replace(REGEX_SPECIALS, "\\$&");

/** Every typed word must begin a term of the record; a phone number may be typed with spaces. */
export function matchingWords(search: string): Record<string, unknown> {
  const folded = foldText(search);
  const words = /^[\s()+-]*\d[\d\s()+-]*$/.test(folded) ? [folded.replace(/\D/g, "")] : folded.split(" ");
  // The longest comes first, because it is looked up: it usually finds the fewest.
  const typed = words
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .toSorted((one, other) => other.length - one.length);
  if (typed.length === 0) return {};
  return {
    $and: typed.map((word) => ({
      searchTerms: mongoose.trusted({ $regex: `^${literally(word)}` }),
    })),
  };
}

/** A name as it may be typed: whole words, and the parts of those with a hyphen or a stop. */
export function nameTerms(name: string): string[] {
  const folded = foldText(name);
  return [...folded.split(/[ .&-]/), ...folded.split(" ")];
}

/** A number as it may be typed: with its country code, without it, and by its last six digits. */
export function phoneTerms(number: string): string[] {
  const digits = number.replace(/\D/g, "");
  return [digits, digits.replace(/^44/, "0"), digits.slice(-6)];
}
