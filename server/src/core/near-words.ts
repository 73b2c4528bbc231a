// Words that were typed with a slip or two: which words of a record they may have been meant for.
import mongoose from "mongoose";

const ONE_SLIP_FROM = 4;
const TWO_SLIPS_FROM = 8;
/** Of a longer word there are too many ways to mistype it. */
const READ_MAX = 24;
/** Two slips are forgiven after these letters, which is where the index is asked. */
const SURE_LETTERS = 2;
const ALPHABET = Array.from("abcdefghijklmnopqrstuvwxyz");
const LETTERS = /^[\p{L}-]+$/u;

type Condition = Record<string, unknown>;

/** Whether slips in this word are forgiven: it is long enough, and of letters, because a number is another number. */
export const mayHaveSlips = (word: string): boolean =>
  word.length >= ONE_SLIP_FROM && word.length <= READ_MAX && LETTERS.test(word);

/** The terms that this word may have been meant for: one letter is wrong, missing, too many or in its neighbour's place; in a long word two. */
export function nearWord(word: string): Condition[] {
  const oneSlip = { searchTerms: mongoose.trusted({ $in: withOneSlip(word) }) };
  return word.length < TWO_SLIPS_FROM ? [oneSlip] : [oneSlip, withTwoSlips(word)];
}

/** Every word that one slip makes of this one: few enough to look each up. */
function withOneSlip(word: string): string[] {
  const letters = new Set([...ALPHABET, ...Array.from(word)]);
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) {
      found.add(before + letter + after);
      if (after) found.add(before + letter + after.slice(1));
    }
    found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return [...found].filter((each) => each !== "");
}

/** In two places after the first letters there stands no letter, another one or one more. */
function withTwoSlips(word: string): Condition {
  const start = word.slice(0, SURE_LETTERS);
  const ways: string[] = [];
  for (let one = SURE_LETTERS; one < word.length; one += 1)
    for (let other = one + 1; other < word.length; other += 1)
      ways.push(`${word.slice(SURE_LETTERS, one)}.{0,2}${word.slice(one + 1, other)}.{0,2}${word.slice(other + 1)}`);
  // The first is what an index can look up; a pattern with alternatives is not.
  return {
    $and: [
      { searchTerms: mongoose.trusted({ $regex: `^${start}` }) },
      { searchTerms: mongoose.trusted({ $regex: `^${start}(?:${ways.join("|")}).?$` }) },
    ],
  };
}
