// One row of a file, read field by field; what is wrong with it is collected, so that all of it is told at once.
import type { z } from "zod";
import type { ImportOptions } from "@app/shared/imports";
import { choiceOf, cleanCell, dayOf, flagOf } from "../../core/cell-values.ts";

export interface CellProblem {
  field: string;
  message: string;
  /** The stored record that the message speaks of without its name, which only those read who see it. */
  twin?: { id: string; name: string } | undefined;
}

export interface Choices<Choice extends string> {
  words: readonly Choice[];
  nameOf: (choice: Choice) => string;
}

/** These words as they are written in a sentence. */
export const plainly = <Choice extends string>(words: readonly Choice[]): Choices<Choice> => ({
  words,
  nameOf: (word) => word.replaceAll("_", " "),
});

export const named = <Choice extends string>(
  words: readonly Choice[],
  names: Record<Choice, string>,
): Choices<Choice> => ({ words, nameOf: (word) => names[word] });

/** A row as it stands in the file, by the number that a spreadsheet gives it. */
export interface SourceRow {
  row: number;
  cells: string[];
}

export interface RowReader {
  problems: CellProblem[];
  dateOrder: ImportOptions["dateOrder"];
  report(field: string, message: string): void;
  /** One line of text. */
  text(field: string): string;
  /** Text that may have several lines. */
  lines(field: string): string;
  day(field: string): string;
  flag(field: string, fallback: boolean): boolean;
  /** One of some words; their names are what a person reads, and the words themselves do too. */
  choice<Choice extends string>(field: string, choices: Choices<Choice>, fallback: Choice): Choice;
  /** Checks the whole against a schema; its refusals are told of the fields that `fieldOf` names. */
  parse<Value>(schema: z.ZodType<Value>, value: unknown, fieldOf: (path: PropertyKey[]) => string): Value | null;
}

/** Longer than the longest text that any field takes: what is longer is not worked on. */
const CELL_MAX_LENGTH = 5000;
const TOO_LONG = `This cell has more than ${CELL_MAX_LENGTH.toLocaleString("en-GB")} characters, which is more than any field takes. Shorten it.`;
const FORMULA = "This cell holds a formula. Put its result there instead, as plain text.";
const UNREADABLE = "This cell has a character that cannot be read. Type it again, or save the file as UTF-8.";
const SEVERAL_LINES = "This cell has several lines. Write one line, or look for a quotation mark that is not closed.";

export function readerOf({ cells }: SourceRow, { columns, dateOrder }: ImportOptions): RowReader {
  const problems: CellProblem[] = [];
  function report(field: string, message: string): void {
    // A cell may be read more than once.
    if (!problems.some((one) => one.field === field && one.message === message)) problems.push({ field, message });
  }

  function lines(field: string): string {
    const index = columns.indexOf(field);
    const cell = index < 0 ? "" : (cells[index] ?? "");
    if (cell.length > CELL_MAX_LENGTH) report(field, TOO_LONG);
    const text = cleanCell(cell.slice(0, CELL_MAX_LENGTH));
    if (text.startsWith("=") || text.startsWith("@")) report(field, FORMULA);
    else if (text.includes("\uFFFD")) report(field, UNREADABLE);
    return text;
  }

  function text(field: string): string {
    const found = lines(field);
    if (found.includes("\n")) report(field, SEVERAL_LINES);
    return found;
  }

  function day(field: string): string {
    const found = text(field);
    if (!found) return "";
    const read = dayOf(found, dateOrder);
    if (read === null) report(field, dayAdvice(found, dateOrder));
    return read ?? "";
  }

  function flag(field: string, fallback: boolean): boolean {
    const found = text(field);
    if (!found) return fallback;
    const read = flagOf(found);
    if (read === null) report(field, "This is neither yes nor no. Write yes or no.");
    return read ?? fallback;
  }

  function choice<Choice extends string>(field: string, { words, nameOf }: Choices<Choice>, fallback: Choice): Choice {
    const found = text(field);
    if (!found) return fallback;
    const read = choiceOf(found, words, nameOf);
    if (read === null) report(field, `Write one of: ${words.map(nameOf).join(", ")}.`);
    return read ?? fallback;
  }

  function parse<Value>(schema: z.ZodType<Value>, value: unknown, fieldOf: (path: PropertyKey[]) => string) {
    if (problems.length > 0) return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) report(fieldOf(path), message);
    return null;
  }

  return { problems, dateOrder, report, text, lines, day, flag, choice, parse };
}

function dayAdvice(text: string, order: ImportOptions["dateOrder"]): string {
  if (/(^|[-/. ])\d{2}$/.test(text) && !/\d{4}/.test(text))
    return "Write the year with four digits, such as 12/04/1985.";
  const other = dayOf(text, order === "dmy" ? "mdy" : "dmy");
  if (other !== null)
    return `There is no such day. ${order === "dmy" ? "The day comes before the month" : "The month comes before the day"} in this import.`;
  return "There is no such day. Write it as 12/04/1985 or 1985-04-12.";
}
