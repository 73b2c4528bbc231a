import { BSONRegExp, MongoError } from "../values.ts";
import type { Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { compareStrings } from "../keys/compare.ts";
import { readRegex } from "../query/field-operators.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { compileRegex } from "../query/regex.ts";
import { isNullish, namedArguments, operator, orNull } from "./expression-types.ts";
import type { Expression, Operator } from "./expression-types.ts";
import { toText } from "./operators-convert.ts";
import { nameOf } from "./operators-arithmetic.ts";

const requireText = (value: Found | undefined, name: string, code: number): string => {
  if (typeof value === "string") return value;
  throw located(code, `${name} requires a string argument, found: ${nameOf(value ?? null)}`);
};

const LONGEST = 64 * 1024 * 1024;

function checkLength(length: number, name: string): void {
  if (length <= LONGEST) return;
  throw new MongoError(146, "ExceededMemoryLimit", `${name} would make a string longer than ${LONGEST} characters`);
}

const requireInteger = (value: Found | undefined, name: string): number => {
  const number = value !== MISSING && isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number))
    throw located(34450, `${name} requires integral arguments, found: ${nameOf(value ?? null)}`);
  return number;
};

/** Nullish counts as the empty string; numbers and dates are printed. */
const asText = (value: Found | undefined): string => (isNullish(value) ? "" : toText(value));

const concat = operator(0, Infinity, (values) => {
  if (values.some(isNullish)) return null;
  const texts = values.map((value) => requireText(value, "$concat only supports strings and", 16702));
  checkLength(
    texts.reduce((length, text) => length + text.length, 0),
    "$concat",
  );
  return texts.join("");
});

const substringBytes = operator(3, 3, ([text, start, length]) => {
  const bytes = Buffer.from(asText(text));
  const from = requireInteger(start, "$substrBytes");
  const count = requireInteger(length, "$substrBytes");
  if (from < 0) return "";
  const isInside = (at: number) => at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const to = count < 0 ? bytes.length : Math.min(bytes.length, from + count);
  if (isInside(from) || isInside(to))
    throw located(28656, "$substrBytes:  Invalid range, starting or ending in the middle of a UTF-8 character.");
  return bytes.toString("utf8", from, to);
});

const substringPoints = operator(3, 3, ([text, start, length]) => {
  const from = requireInteger(start, "$substrCP");
  const count = requireInteger(length, "$substrCP");
  if (from < 0 || count < 0)
    throw located(34455, "$substrCP: the starting index and length must be nonnegative integers");
  return Array.from(asText(text))
    .slice(from, from + count)
    .join("");
});

const split = operator(2, 2, ([text, separator]) => {
  if (isNullish(text) || isNullish(separator)) return null;
  const between = requireText(separator, "$split", 40086);
  if (between === "") throw located(40087, "$split requires a non-empty separator");
  return requireText(text, "$split", 40085).split(between);
});

const trim =
  (atStart: boolean, atEnd: boolean): Operator =>
  (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, ["input"], ["chars"]);
    const input = compile(spec.get("input"), context);
    const chars = spec.has("chars") ? compile(spec.get("chars"), context) : undefined;
    return (root) => {
      const text = input(root);
      const set = chars
        ? chars(root)
        : " \0\t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";
      if (isNullish(text) || isNullish(set)) return null;
      const points = Array.from(requireText(text, name, 50699));
      const removed = new Set(requireText(set, name, 50700));
      let start = 0;
      let end = points.length;
      while (atStart && start < end && removed.has(points[start] ?? "")) start += 1;
      while (atEnd && end > start && removed.has(points[end - 1] ?? "")) end -= 1;
      return points.slice(start, end).join("");
    };
  };

const indexOf = (isBytes: boolean): Operator =>
  operator(2, 4, ([text, part, start, end], _context, name) => {
    if (isNullish(text)) return null;
    const whole = requireText(text, name, 40091);
    const wanted = requireText(part, name, 40092);
    const units: ArrayLike<unknown> = isBytes ? Buffer.from(whole) : Array.from(whole);
    const needle: ArrayLike<unknown> = isBytes ? Buffer.from(wanted) : Array.from(wanted);
    const from = start === undefined ? 0 : requireInteger(start, name);
    const to = Math.min(units.length, end === undefined ? units.length : requireInteger(end, name));
    if (from < 0 || to < 0) throw located(40097, `${name} requires a nonnegative starting and ending index`);
    for (let at = from; at + needle.length <= to; at++) {
      let length = 0;
      while (length < needle.length && units[at + length] === needle[length]) length += 1;
      if (length === needle.length) return at;
    }
    return -1;
  });

const replace =
  (isAll: boolean): Operator =>
  (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, ["input", "find", "replacement"]);
    const parts = ["input", "find", "replacement"].map((key) => compile(spec.get(key), context));
    return (root) => {
      const values = parts.map((part) => part(root));
      if (values.some(isNullish)) return null;
      const [input = "", find = "", replacement = ""] = values.map((value) => requireText(value, name, 51746));
      if (!isAll) return input.replace(find, () => replacement);
      const most = input.length / Math.max(1, find.length) + 1;
      if (replacement.length > find.length) checkLength(input.length + most * replacement.length, name);
      return input.replaceAll(find, () => replacement);
    };
  };

/** The three regex operators share their arguments; `finish` turns the matches found into the result. */
const regex =
  (finish: (text: string, pattern: RegExp) => Value, whenNull: Value): Operator =>
  (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, ["input", "regex"], ["options"]);
    const input = compile(spec.get("input"), context);
    const source: Expression = compile(spec.get("regex"), context);
    const options = spec.has("options") ? compile(spec.get("options"), context) : () => undefined;
    return (root) => {
      const text = input(root);
      const pattern = source(root);
      if (isNullish(text) || isNullish(pattern)) return whenNull;
      if (!(pattern instanceof BSONRegExp) && typeof pattern !== "string")
        throw located(51105, `${name} needs 'regex' to be of type string or regex`);
      const flags = options(root);
      return finish(
        requireText(text, name, 51104),
        compileRegex(readRegex(pattern, isNullish(flags) ? undefined : orNull(flags))),
      );
    };
  };

const pointsBefore = (text: string, index: number): number => Array.from(text.slice(0, index)).length;

function describe(text: string, match: RegExpExecArray): Value {
  const [whole, ...captures] = match;
  return new Map<string, Value>([
    ["match", whole],
    ["idx", pointsBefore(text, match.index)],
    ["captures", captures.map((capture: string | undefined) => capture ?? null)],
  ]);
}

const findFirst = (text: string, pattern: RegExp): Value => {
  const match = pattern.exec(text);
  return match ? describe(text, match) : null;
};

const findEach = (text: string, pattern: RegExp): Value =>
  [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map((match) => describe(text, match));

export const STRING_OPERATORS: [string, Operator][] = [
  ["$concat", concat],
  ["$substr", substringBytes],
  ["$substrBytes", substringBytes],
  ["$substrCP", substringPoints],
  ["$strLenBytes", operator(1, 1, ([text]) => Buffer.byteLength(requireText(text, "$strLenBytes", 34473)))],
  ["$strLenCP", operator(1, 1, ([text]) => Array.from(requireText(text, "$strLenCP", 34471)).length)],
  // As in MongoDB, only the letters of ASCII change.
  ["$toLower", operator(1, 1, ([text]) => asText(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()))],
  ["$toUpper", operator(1, 1, ([text]) => asText(text).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()))],
  ["$split", split],
  ["$trim", trim(true, true)],
  ["$ltrim", trim(true, false)],
  ["$rtrim", trim(false, true)],
  ["$indexOfBytes", indexOf(true)],
  ["$indexOfCP", indexOf(false)],
  [
    "$strcasecmp",
    operator(2, 2, ([left, right]) =>
      Math.sign(compareStrings(asText(left).toUpperCase(), asText(right).toUpperCase())),
    ),
  ],
  ["$replaceOne", replace(false)],
  ["$replaceAll", replace(true)],
  ["$regexMatch", regex((text, pattern) => pattern.test(text), false)],
  ["$regexFind", regex(findFirst, null)],
  ["$regexFindAll", regex(findEach, [])],
];
