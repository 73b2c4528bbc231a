import { located } from "../bson/fail.ts";
import { compareStrings } from "../keys/compare.ts";
import type { Found } from "../fields/paths.ts";
import {
  checkSize,
  isNullish,
  named,
  type Operator,
  operator,
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
  ["$strcasecmp", compareIgnoringCase],
  ["$replaceOne", replace(false)],
  ["$replaceAll", replace(true)],
];
