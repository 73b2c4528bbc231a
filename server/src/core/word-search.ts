// Finding records by the beginnings of words, in a `searchTerms` index that the record keeps.
import mongoose from "mongoose";
import { foldText } from "@app/shared/text";
import { mayHaveSlips, nearWord } from "./near-words.ts";

const REGEX_SPECIALS = /[.*+?^${}()|[\]\\]/g;
const WORDS_MAX = 6;
/** Of the countries whose numbers begin with a nought at home. */
const COUNTRY_CODES = ["44", "353"];
const WITH_COUNTRY_CODE = /^(?:00)?(44|353)0?([1-9]\d*)$/;
const WHOLE_WITH_CODE = 11;
const IS_NUMBER = /^[\s()+-]*\d[\d\s()+-]*$/;

/** A text for a regular expression that finds it as it stands. */
export const literally = (text: string): string => text.replace(REGEX_SPECIALS, "\\$&");

/** Whether words are looked for as they were typed, or also as they may have been meant. */
export type Spelling = "exact" | "near";

/** What was typed somewhere, and how it is read. */
export interface Typed {
  text: string;
  spelling: Spelling;
}

/** Whether some word of it is such that a slip in it can be forgiven. */
export const mayBeMistyped = (text: string): boolean => wordsOf(text).some(mayHaveSlips);

/** Every typed word must begin a term of the record; a phone number may be typed with spaces, and as from abroad. */
export function matchingWords(search: string, spelling: Spelling = "exact"): Record<string, unknown> {
  const folded = foldText(search);
  if (IS_NUMBER.test(folded)) return { $and: [anyOf(numbersTyped(folded).map(beginningWith))] };
  return matchingTexts({ text: search, spelling });
}

/** The same where digits are words like others. */
export function matchingTexts({ text, spelling }: Typed): Record<string, unknown> {
  const isNear = (word: string) => spelling === "near" && mayHaveSlips(word);
  const each = wordsOf(text).map((word) => anyOf([beginningWith(word), ...(isNear(word) ? nearWord(word) : [])]));
  return each.length === 0 ? {} : { $and: each };
}

/** The same anywhere in a term, for records of which there are few enough to read the terms of all. */
export const matchingWithin = (search: string): Record<string, unknown> => {
  const folded = foldText(search);
  if (IS_NUMBER.test(folded)) return matchingWords(search);
  const within = (word: string) => ({ searchTerms: mongoose.trusted({ $regex: literally(word) }) });
  const each = wordsOf(search).map(within);
  return each.length === 0 ? {} : { $and: each };
};

/** The longest comes first, because it is looked up: it usually finds the fewest. */
const wordsOf = (search: string): string[] =>
  foldText(search)
    .split(" ")
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .toSorted((one, other) => other.length - one.length);

const beginningWith = (word: string) => ({ searchTerms: mongoose.trusted({ $regex: `^${literally(word)}` }) });

const anyOf = (ways: Record<string, unknown>[]): Record<string, unknown> =>
  ways.length === 1 ? { ...ways[0] } : { $or: ways };

/** What a number may begin with that is kept in another form than it was typed: with the code of a country, or without. */
function numbersTyped(typed: string): string[] {
  const digits = typed.replace(/\D/g, "");
  const [, code, rest = ""] = WITH_COUNTRY_CODE.exec(digits) ?? [];
  const isWithCode = rest !== "" && (/^[\s(]*(?:\+|00)/.test(typed) || digits.length >= WHOLE_WITH_CODE);
  // Neither dialled from abroad nor from its beginning: it may be the last digits.
  if (!isWithCode && !/^0[1-9]/.test(digits)) return [digits];
  const national = isWithCode ? rest : digits.slice(1);
  const codes = isWithCode && code ? [code] : COUNTRY_CODES;
  const dialled = codes.flatMap((each) => [each, `${each}0`, `00${each}`]);
  return [...new Set([digits, ...["0", ...dialled].map((before) => before + national)])];
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
