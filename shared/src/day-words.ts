// What is said of a text that is no calendar day, and months as people name them. Free of zod.
import { asciiDigits } from "./typed-digits.ts";

const PARTS = /^([^-]*)-([^-]*)-([^-]*)$/;
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });
const MONTHS = DAYS_OF_MONTH.map((_, month) => monthName.format(new Date(Date.UTC(2000, month, 1))).toLowerCase());
const NAME_MIN = 3;

/** Feb and february as 2, and digits as they are; what is no month stays as it was typed, in small letters. */
export function monthIn(typed: string): string {
  const text = asciiDigits(typed.trim()).toLowerCase();
  const name = text.replace(/\.$/, "");
  if (name === "sept") return "9";
  const at = name.length < NAME_MIN ? -1 : MONTHS.findIndex((month) => month.startsWith(name));
  return at === -1 ? text : String(at + 1);
}

/** Which part of it is missing or wrong; there is no 31 February, and none of the 29th in most years. */
export function noSuchDay(text: unknown): string {
  const [, year, month, day] = (typeof text === "string" && PARTS.exec(text)) || [];
  if (year === undefined || month === undefined || day === undefined) return "Enter a date as day, month and year";
  return missingParts({ day, month, year }) || wrongPart({ day, month, year }) || notInMonth({ day, month, year });
}

interface Parts {
  day: string;
  month: string;
  year: string;
}

function missingParts({ day, month, year }: Parts): string {
  const missing = Object.entries({ day, month, year }).flatMap(([name, part]) => (part === "" ? [`the ${name}`] : []));
  const last = missing.pop();
  if (last === undefined) return "";
  return missing.length === 0 ? `Enter ${last} too` : `Enter ${missing.join(", ")} and ${last}`;
}

const isNumber = (part: string, most: number): boolean =>
  /^\d{1,2}$/.test(part) && Number(part) >= 1 && Number(part) <= most;

function wrongPart({ day, month, year }: Parts): string {
  if (!isNumber(day, 31)) return "Check the day: it is a number from 1 to 31";
  if (!isNumber(month, 12)) return "Check the month: it is a number from 1 to 12, or a name such as March";
  return /^\d{4}$/.test(year) ? "" : "Enter the year with four figures, such as 1985";
}

function notInMonth({ day, month, year }: Parts): string {
  const longest = DAYS_OF_MONTH[Number(month) - 1] ?? 31;
  const said = `${Number(day)} ${monthName.format(new Date(Date.UTC(2000, Number(month) - 1, 1)))}`;
  if (Number(day) > longest) return `There is no ${said}. Check the day.`;
  return Number(day) === 29 && Number(month) === 2
    ? `There is no ${said} in ${Number(year)}. Check the date.`
    : "Enter a date as day, month and year";
}
