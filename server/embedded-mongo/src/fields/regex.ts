// MongoDB's regular expressions are PCRE in UTF mode; this rewrites one for JS so that it means the same.
import { type BSONRegExp, MongoError } from "../values.ts";
import { located } from "../bson/fail.ts";

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

// The ends of the text; that no character stands beside it, JS says also in the middle of one that takes two units.
const ESCAPES = new Map([
  ["A", "^"],
  ["Z", "(?=\\n?$)"],
  ["z", "$"],
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
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

const cache = new Map<string, RegExp>();
const CACHED = 500;

export function compileRegex({ pattern, options }: BSONRegExp): RegExp {
  const key = `${options}/${pattern}`;
  const known = cache.get(key);
  if (known) return known;
  const compiled = build(pattern, options);
  if (cache.size >= CACHED) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

export function checkRegexOptions(options: string): void {
  const unknown = /[^imsxu]/.exec(options)?.[0];
  if (unknown !== undefined) throw located(51108, `invalid flag in regex options: ${unknown}`);
}

function build(pattern: string, options: string): RegExp {
  checkRegexOptions(options);
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set(options + (inline?.[1] ?? ""));
  const state: State = { text: pattern, at: inline?.[0].length ?? 0, flags };
  let translated = "";
  while (state.at < pattern.length) translated += nextPiece(state);
  try {
    return new RegExp(translated, flags.has("i") ? "iu" : "u");
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

const invalid = (reason: string): MongoError => located(51091, `Regular expression is invalid: ${reason}`);

/** A pattern, and how much of it has been rewritten. */
type State = { text: string; at: number; flags: Set<string> };

/** Takes what matches right here, if anything does. */
function take(state: State, form: RegExp): RegExpExecArray | null {
  const match = new RegExp(form.source, "sy");
  match.lastIndex = state.at;
  const found = match.exec(state.text);
  state.at += found?.[0].length ?? 0;
  return found;
}

function nextPiece(state: State): string {
  const isLoose = state.flags.has("x");
  const isByLine = state.flags.has("m");
  const character = state.text[state.at++] ?? "";
  switch (character) {
    case "\\":
      return escapePiece(state, ESCAPES, false);
    case "[":
      return classPiece(state);
    case ".":
      return state.flags.has("s") ? "[^]" : "[^\\n]";
    case "^":
      return isByLine ? "(?<=^|\\n)" : "^";
    case "$":
      return isByLine ? "(?=\\n|$)" : "(?=\\n?$)";
    case "{":
      return quantifierPiece(state);
    case "}":
    case "]":
      return `\\${character}`;
    case "(":
      return groupPiece(state);
  }
  if (isLoose && character === "#") take(state, /[^\n]*/);
  return isLoose && /[\s#]/.test(character) ? "" : character;
}

function quantifierPiece(state: State): string {
  const counts = take(state, /\d+(,\d*)?\}/)?.[0];
  return counts === undefined ? "\\{" : `{${counts}`;
}

function groupPiece(state: State): string {
  if (take(state, /\?P(?=<)/)) return "(?";
  if (take(state, /\?#[^)]*\)?/)) return "";
  // The dots and anchors of a group with flags of its own would have to be rewritten under those flags.
  if (/^\?[a-z]*[msx][a-z]*(-[a-z]*)?[:)]|^\?-/.test(state.text.slice(state.at)))
    throw invalid("flags m, s and x are only supported at the start");
  return "(";
}

function escapePiece(state: State, escapes: Map<string, string>, inClass: boolean): string {
  const quoted = take(state, /Q(.*?)(\\E|$)/)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(SYNTAX, "\\$&").replaceAll("-", inClass ? "\\-" : "-");
  const character = state.text[state.at++];
  if (character === undefined) return "\\";
  const replaced = escapes.get(character);
  if (replaced !== undefined) return replaced;
  if (character === "x" && state.text[state.at] === "{") return "\\u";
  if (/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return character === "-" && inClass ? "\\-" : character;
}

/** Sets such as \w cannot be the end of a range; PCRE takes a hyphen beside one as itself, JS calls it an error. */
const SET_ESCAPE = /^\\[wWdDsShpP]/;

function classPiece(state: State): string {
  // A closing bracket that comes first is an ordinary character in PCRE.
  let result = `[${take(state, /\^?/)?.[0] ?? ""}${take(state, /\]/) ? "\\]" : ""}`;
  let isAfterSet = false;
  while (state.at < state.text.length) {
    const rest = state.text.slice(state.at);
    const posix = take(state, /\[:(\w+):\]/)?.[1];
    if (posix === undefined) {
      const character = state.text[state.at++] ?? "";
      if (character === "]") return `${result}]`;
      if (character === "\\") result += escapePiece(state, CLASS_ESCAPES, true);
      else if (character === "-" && (isAfterSet || SET_ESCAPE.test(rest.slice(1)))) result += "\\-";
      else result += character;
    } else result += posixSet(posix);
    isAfterSet = posix !== undefined || SET_ESCAPE.test(rest);
  }
  return result;
}

function posixSet(name: string): string {
  const set = POSIX.get(name);
  if (set === undefined) throw invalid(`unknown POSIX class name: ${name}`);
  return set;
}
