// Days and amounts as banks write them.
import type { BankTable } from "@app/shared/bank-statements";
import { dayOf } from "../../core/cell-values.ts";

type DateOrder = BankTable["dateOrder"];

const TIME_AFTER = /[T ,]{1,3}\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const SHORT_YEAR = /^(\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ])(\d{2})$/;
const NUMBERED = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}$/;
const MONTHS_MAX = 12;

/** Null where it is no day. */
export function bankDay(cell: string, order: DateOrder): string | null {
  const text = cell.trim().replace(TIME_AFTER, "");
  const compact = COMPACT.exec(text);
  if (compact) return dayOf(compact.slice(1).join("-"), order);
  return dayOf(text.replace(SHORT_YEAR, "$120$2"), order);
}

/** In which order days and months stand in these cells, where that can be told; null where both would do, or none. */
export function dateOrderIn(cells: readonly string[]): DateOrder | null {
  const pairs = cells.flatMap((cell) => {
    const [, first, second] = NUMBERED.exec(cell.trim().replace(TIME_AFTER, "")) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  if (pairs.length === 0) return "dmy";
  const isDayFirst = pairs.some(([first]) => first > MONTHS_MAX);
  const isMonthFirst = pairs.some(([, second]) => second > MONTHS_MAX);
  if (isDayFirst === isMonthFirst) return null;
  return isDayFirst ? "dmy" : "mdy";
}

const SIGNS = /[\p{Sc}\s\u00A0\u202F’']|GBP|EUR|USD/gu;
const FIGURE_MAX_LENGTH = 40;
/** By what separates the decimals: a slip, such as a comma before two digits, is no figure. */
const FIGURES = {
  ".": /^\+?(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d*)?$/,
  ",": /^\+?(?:\d+|\d{1,3}(?:\.\d{2,3})*\.\d{3})(?:,\d*)?$/,
} as const;

/** Which of the two separates the decimals in a column of amounts. */
export function decimalSignIn(cells: readonly string[]): "." | "," {
  const ends = cells.map((cell) => /([.,])\d{1,2}\D*$/.exec(cell)?.[1]);
  const commas = ends.filter((sign) => sign === ",").length;
  return commas > ends.filter((sign) => sign === ".").length ? "," : ".";
}

/** In minor units; below nothing where it went out. Null where it is no amount. */
export function bankAmount(cell: string, decimal: "." | ",", digits: number): number | null {
  if (cell.length > FIGURE_MAX_LENGTH) return null;
  const [text, isOut] = unsigned(cell.replace(SIGNS, ""));
  if (!FIGURES[decimal].test(text)) return null;
  const plain = text.replaceAll(decimal === "." ? "," : ".", "").replace(",", ".");
  const [, whole = "", rest = ""] = /^\+?(\d+)(?:\.(\d*))?$/.exec(plain) ?? [];
  // What is more exact than the currency is no amount of it; zeros say nothing.
  if (whole === "" || /[1-9]/.test(rest.slice(digits))) return null;
  const minor = Number(whole + rest.slice(0, digits).padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? (isOut ? -minor : minor) : null;
}

/** Without what says that it went out: a minus on either side, brackets, or DR behind it. */
function unsigned(text: string): [string, boolean] {
  const bracketed = /^\((.+)\)$/.exec(text)?.[1];
  if (bracketed !== undefined) return [bracketed, true];
  const marked = /^(.+?)(CR|DR|C|D)$/i.exec(text);
  if (marked) return [marked[1] ?? "", /^d/i.test(marked[2] ?? "")];
  if (text.endsWith("-")) return [text.slice(0, -1), true];
  const minus = text.replace(/^[−–]/, "-");
  return minus.startsWith("-") ? [minus.slice(1), true] : [minus, false];
}

/** Null where it says neither. */
export function isIncoming(cell: string): boolean | null {
  const word = cell.trim().toLowerCase();
  if (/^(c|cr|crdt|credit|in|received|paid in|money in|haben|\+)/.test(word)) return true;
  return /^(d|dr|dbit|debit|out|paid out|money out|soll|-)/.test(word) ? false : null;
}
