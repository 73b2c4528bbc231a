// What people write into cells, as the values that it means. Null where it means none.
import type { ImportOptions } from "@app/shared/imports";
import { foldText } from "@app/shared/text";
import { normalForm } from "@app/shared/normal-form";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const YES = new Set(["yes", "y", "true", "1", "x", "on"]);
const NO = new Set(["no", "n", "false", "0", "off", "-"]);
const ISO_DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const NUMBERED_DAY = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/;
const NAMED_DAY = /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[- ]([a-z]{3,9})\.?,?[- ](\d{4})$/;
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/;

/** The cell without the spaces around it and the apostrophe that a spreadsheet guards formulas with. */
export const cleanCell = (cell: string): string =>
  normalForm(cell, "NFC")
    .replace(/[\u00A0\u202F\u2007]/g, " ")
    .replace(/[\u200B\u2060\uFEFF]/g, "")
    .replace(/\r\n?/g, "\n")
    .trim()
    .replace(/^'(?=[=+\-@])/, "");

export function dayOf(text: string, order: ImportOptions["dateOrder"]): string | null {
  const folded = foldText(text);
  const iso = ISO_DAY.exec(folded.toUpperCase());
  if (iso) return realDay(iso[1], iso[2], iso[3]);
  const numbered = NUMBERED_DAY.exec(folded);
  if (numbered) {
    const [, first, second, year] = numbered;
    return order === "dmy" ? realDay(year, second, first) : realDay(year, first, second);
  }
  const named = NAMED_DAY.exec(folded);
  if (named) return realDay(named[3], monthNumber(named[2]), named[1]);
  const monthFirst = MONTH_FIRST.exec(folded);
  return monthFirst ? realDay(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]) : null;
}

const monthNumber = (name = ""): string => String(MONTHS.indexOf(name.slice(0, 3)) + 1);

function realDay(year = "", month = "", day = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** 9:30, 09.30, 9.30 am and 2pm, as HH:MM. */
export function timeOf(text: string): string | null {
  const [, hours = "", minutes = "00", half = ""] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})? ?([ap])?\.?(?:m\.?)?$/.exec(foldText(text)) ?? [];
  if (!hours || (half && Number(hours) > 12)) return null;
  const hour = half ? (Number(hours) % 12) + (half === "p" ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59) return null;
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}

export function flagOf(text: string): boolean | null {
  const folded = foldText(text);
  if (YES.has(folded)) return true;
  return NO.has(folded) ? false : null;
}

/** Which of these a cell names, whatever stands between its words: "in person", "In_person" and "inPerson" are one. */
export function choiceOf<Choice extends string>(
  text: string,
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
): Choice | null {
  const key = (one: string) => foldText(one).replace(/[^\p{L}\p{N}]/gu, "");
  const wanted = key(text);
  return choices.find((choice) => key(choice) === wanted || key(nameOf(choice)) === wanted) ?? null;
}

/** The parts of a cell that lists several things. */
export const partsOf = (text: string, separator = /[;,\n]/): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
