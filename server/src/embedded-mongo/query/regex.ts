// MongoDB's regular expressions are PCRE in UTF mode; this rewrites one for JS so that it means the same.
import { BSONRegExp, MongoError } from "../values.ts";

const POSIX = new Map([
  ["alpha", "a-zA-Z"],
  ["digit", "0-9"],
  ["alnum", "a-zA-Z0-9"],
  ["upper", "A-Z"],
  ["lower", "a-z"],
  ["space", "\\t-\\r "],
  ["blank", "\\t "],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["xdigit", "0-9A-Fa-f"],
  ["word", "\\w"],
]);

const ESCAPES = new Map([
  ["A", "(?<![^])"],
  ["Z", "(?=\\n?(?![^]))"],
  ["z", "(?![^])"],
  ["h", "[\\t ]"],
  ["s", "[\\t-\\r ]"],
  ["S", "[^\\t-\\r ]"],
  ["R", "(?:\\r\\n|[\\n-\\r])"],
  ["a", "\\x07"],
  ["e", "\\x1b"],
]);
const CLASS_ESCAPES = new Map([
  ["h", "\\t "],
  ["s", "\\t-\\r "],
  ["b", "\\x08"],
  ["a", "\\x07"],
  ["e", "\\x1b"],
]);
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

const cache = new Map<string, RegExp>();
const CACHED = 500;

export function compileRegex(source: BSONRegExp): RegExp {
  const { pattern, options } = source;
  const key = `${options}/${pattern}`;
  const known = cache.get(key);
  if (known) return known;
  const compiled = build(pattern, options);
  if (cache.size >= CACHED) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

export function checkRegexOptions(options: string): void {
  for (const option of options) {
    if (!"imsxu".includes(option))
      throw new MongoError(51108, "Location51108", `invalid flag in regex options: ${option}`);
  }
}

function build(pattern: string, options: string): RegExp {
  checkRegexOptions(options);
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set(options + (inline?.[1] ?? ""));
  const body = inline ? pattern.slice(inline[0].length) : pattern;
  try {
    return new RegExp(translate(body, flags), flags.has("i") ? "iu" : "u");
  } catch (error) {
    if (error instanceof MongoError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MongoError(51091, "Location51091", `Regular expression is invalid: ${reason}`);
  }
}

type State = { text: string; at: number; flags: Set<string> };

function translate(pattern: string, flags: Set<string>): string {
  const state: State = { text: pattern, at: 0, flags };
  let result = "";
  while (state.at < pattern.length) result += nextPiece(state);
  return result;
}

function nextPiece(state: State): string {
  const character = state.text[state.at++] ?? "";
  const rest = state.text.slice(state.at);
  switch (character) {
    case "\\":
      return escapePiece(state, ESCAPES, false);
    case "[":
      return classPiece(state);
    case ".":
      return state.flags.has("s") ? "[^]" : "[^\\n]";
    case "^":
      return state.flags.has("m") ? "(?<![^\\n])" : "(?<![^])";
    case "$":
      return state.flags.has("m") ? "(?![^\\n])" : "(?=\\n?(?![^]))";
    case "{":
      return /^\d+(,\d*)?\}/.test(rest) ? quantifier(state) : "\\{";
    case "}":
    case "]":
      return `\\${character}`;
    case "(":
      return groupPiece(state, rest);
    case "#":
      if (!state.flags.has("x")) return character;
      state.at += /^[^\n]*/.exec(rest)?.[0].length ?? 0;
      return "";
  }
  return state.flags.has("x") && /\s/.test(character) ? "" : character;
}

function quantifier(state: State): string {
  const end = state.text.indexOf("}", state.at) + 1;
  const piece = `{${state.text.slice(state.at, end)}`;
  state.at = end;
  return piece;
}

function groupPiece(state: State, rest: string): string {
  if (rest.startsWith("?P<")) {
    state.at += 2;
    return "(?";
  }
  if (rest.startsWith("?#")) {
    state.at = state.text.indexOf(")", state.at) + 1 || state.text.length;
    return "";
  }
  // The dots and anchors of a group with flags of its own would have to be rewritten under those flags.
  if (/^\?[a-z]*[msx][a-z]*(-[a-z]*)?[:)]|^\?-/.test(rest)) {
    throw new MongoError(
      51091,
      "Location51091",
      "Regular expression is invalid: flags m, s and x are only supported at the start",
    );
  }
  return "(";
}

function escapePiece(state: State, escapes: Map<string, string>, inClass: boolean): string {
  const character = state.text[state.at++];
  if (character === undefined) return "\\";
  if (character === "Q") {
    const end = state.text.indexOf("\\E", state.at);
    const literal = state.text.slice(state.at, end === -1 ? undefined : end);
    state.at = end === -1 ? state.text.length : end + 2;
    return literal.replaceAll(/[\^$\\.*+?()[\]{}|/-]/g, (match) => (match === "-" && !inClass ? match : `\\${match}`));
  }
  const replaced = escapes.get(character);
  if (replaced !== undefined) return replaced;
  if (character === "x" && state.text[state.at] === "{") return "\\u";
  if (/[A-Za-z0-9]/.test(character) || SYNTAX.test(character)) return `\\${character}`;
  return character === "-" && inClass ? "\\-" : character;
}

/** Sets such as \w cannot be the end of a range; PCRE takes a hyphen beside one as itself, JS calls it an error. */
const SET_ESCAPE = /^\\[wWdDsShpP]/;

function classPiece(state: State): string {
  let result = "[";
  if (state.text[state.at] === "^") {
    result += "^";
    state.at += 1;
  }
  // A closing bracket that comes first is an ordinary character in PCRE.
  if (state.text[state.at] === "]") {
    result += "\\]";
    state.at += 1;
  }
  let isAfterSet = false;
  while (state.at < state.text.length) {
    const rest = state.text.slice(state.at);
    const character = state.text[state.at++] ?? "";
    if (character === "]") return `${result}]`;
    const posix = /^\[:(\w+):\]/.exec(rest);
    const named = POSIX.get(posix?.[1] ?? "");
    if (posix && named !== undefined) {
      result += named;
      state.at += posix[0].length - 1;
    } else if (character === "\\") result += escapePiece(state, CLASS_ESCAPES, true);
    else if (character === "-" && (isAfterSet || SET_ESCAPE.test(rest.slice(1)))) result += "\\-";
    else result += character;
    isAfterSet = SET_ESCAPE.test(rest) || posix !== null;
  }
  return result;
}
