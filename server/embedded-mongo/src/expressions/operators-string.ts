import { BSONRegExp, type Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { compareStrings } from "../keys/compare.ts";
import { readRegex } from "../fields/value-tests.ts";
import type { Found } from "../fields/paths.ts";
import { compileRegex } from "../fields/regex.ts";
import {
  checkSize,
  isNullish,
  named,
  type Operator,
  operator,
  orNull,
  requireInteger,
  requireText,
} from "./expression-types.ts";
import { toText } from "./operators-convert.ts";

const MOST_CHARACTERS = 64 * 1024 * 1024;
const SPACES = " \0\t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";

/** Nullish counts as the empty string; numbers and dates are printed. */
const asText = (value: Found): string => (isNullish(value) ? "" : toText(value));

const concat = operator(0, Infinity, (values) => {
  if (values.some(isNullish)) return null;
  const texts = values.map((value) => requireText(value, "$concat", 16702));
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  checkSize(size, MOST_CHARACTERS, "$concat");
  return texts.join("");
});

const substringBytes = operator(3, 3, ([text, start, length], name) => {
  const bytes = Buffer.from(asText(text));
  const from = requireInteger(start, name, 34450);
  const count = requireInteger(length, name, 34450);
  if (from < 0) return "";
  const isInside = (at: number) => at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const to = count < 0 ? bytes.length : Math.min(bytes.length, from + count);
  if (isInside(from) || isInside(to))
    throw located(28656, `${name}:  Invalid range, starting or ending in the middle of a UTF-8 character.`);
  return bytes.toString("utf8", from, to);
});

const substringPoints = operator(3, 3, ([text, start, length], name) => {
  const from = requireInteger(start, name, 34450);
  const count = requireInteger(length, name, 34450);
  if (from < 0 || count < 0)
    throw located(34455, `${name}: the starting index and length must be nonnegative integers`);
  const points = Array.from(asText(text));
  return points.slice(from, from + count).join("");
});

const split = operator(2, 2, ([text, separator], name) => {
  if (isNullish(text) || isNullish(separator)) return null;
  const between = requireText(separator, name, 40086);
  if (between === "") throw located(40087, "$split requires a non-empty separator");
  return requireText(text, name, 40085).split(between);
});

const trim = (atStart: boolean, atEnd: boolean): Operator =>
  named(["input"], ["chars"], ({ input, chars = SPACES }, name) => {
    if (isNullish(input) || isNullish(chars)) return null;
    const points = Array.from(requireText(input, name, 50699));
    const removed = new Set(requireText(chars, name, 50700));
    let start = 0;
    let end = points.length;
    while (atStart && start < end && removed.has(points[start] ?? "")) start += 1;
    while (atEnd && end > start && removed.has(points[end - 1] ?? "")) end -= 1;
    return points.slice(start, end).join("");
  });

const pointsBefore = (text: string, index: number): number => Array.from(text.slice(0, index)).length;

const indexOf = (find: (text: string, wanted: string, from: number, to: number) => number): Operator =>
  operator(2, 4, ([text, part, start, end], name) => {
    if (isNullish(text)) return null;
    const whole = requireText(text, name, 40091);
    const wanted = requireText(part, name, 40092);
    const from = start === undefined ? 0 : requireInteger(start, name, 34450);
    const to = end === undefined ? Infinity : requireInteger(end, name, 34450);
    if (from < 0 || to < 0) throw located(40097, `${name} requires a nonnegative starting and ending index`);
    return find(whole, wanted, from, to);
  });

function indexOfBytes(text: string, wanted: string, from: number, to: number): number {
  const bytes = Buffer.from(text).subarray(0, to);
  return from > bytes.length ? -1 : bytes.indexOf(wanted, from);
}

function indexOfPoints(text: string, wanted: string, from: number, to: number): number {
  const points = Array.from(text).slice(0, to);
  const searched = points.slice(from).join("");
  const found = from > points.length ? -1 : searched.indexOf(wanted);
  return found < 0 ? -1 : from + pointsBefore(searched, found);
}

const replace = (isAll: boolean): Operator =>
  named(["input", "find", "replacement"], [], (values, name) => {
    if (Object.values(values).some(isNullish)) return null;
    const [input = "", find = "", replacement = ""] = ["input", "find", "replacement"].map((key) =>
      requireText(values[key], name, 51746),
    );
    if (!isAll) return input.replace(find, () => replacement);
    const most = input.length / Math.max(1, find.length) + 1;
    if (replacement.length > find.length) checkSize(input.length + most * replacement.length, MOST_CHARACTERS, name);
    return input.replaceAll(find, () => replacement);
  });

/** The three regex operators share their arguments; `finish` turns the text and the pattern into the result. */
const regex = (finish: (text: string, pattern: RegExp) => Value, whenNull: Value): Operator =>
  named(["input", "regex"], ["options"], ({ input, regex: source, options }, name) => {
    if (isNullish(input) || isNullish(source)) return whenNull;
    if (!(source instanceof BSONRegExp) && typeof source !== "string")
      throw located(51105, `${name} needs 'regex' to be of type string or regex`);
    const pattern = readRegex(source, isNullish(options) ? undefined : orNull(options));
    return finish(requireText(input, name, 51104), compileRegex(pattern));
  });

function describe(text: string, match: RegExpExecArray): Value {
  const [whole, ...captures] = match;
  const found = captures.map((capture: string | undefined) => capture ?? null);
  return docOf({ match: whole, idx: pointsBefore(text, match.index), captures: found });
}

const findFirst = (text: string, pattern: RegExp): Value => {
  const match = pattern.exec(text);
  return match ? describe(text, match) : null;
};

const findEach = (text: string, pattern: RegExp): Value =>
  [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map((match) => describe(text, match));

const compareIgnoringCase = operator(2, 2, ([left, right]) =>
  Math.sign(compareStrings(asText(left).toUpperCase(), asText(right).toUpperCase())),
);

export const STRING_OPERATORS: [string, Operator][] = [
  ["$concat", concat],
  ["$substr", substringBytes],
  ["$substrBytes", substringBytes],
  ["$substrCP", substringPoints],
  ["$strLenBytes", operator(1, 1, ([text], name) => Buffer.byteLength(requireText(text, name, 34473)))],
  ["$strLenCP", operator(1, 1, ([text], name) => Array.from(requireText(text, name, 34471)).length)],
  // As in MongoDB, only the letters of ASCII change.
  ["$toLower", operator(1, 1, ([text]) => asText(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()))],
  ["$toUpper", operator(1, 1, ([text]) => asText(text).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()))],
  ["$split", split],
  ["$trim", trim(true, true)],
  ["$ltrim", trim(true, false)],
  ["$rtrim", trim(false, true)],
  ["$indexOfBytes", indexOf(indexOfBytes)],
  ["$indexOfCP", indexOf(indexOfPoints)],
  ["$strcasecmp", compareIgnoringCase],
  ["$replaceOne", replace(false)],
  ["$replaceAll", replace(true)],
  ["$regexMatch", regex((text, pattern) => pattern.test(text), false)],
  ["$regexFind", regex(findFirst, null)],
  ["$regexFindAll", regex(findEach, [])],
];
