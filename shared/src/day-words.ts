// What is said of a text that is no calendar day. Free of zod.

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

/** There is no 31 February, and none of the 29th in most years; everything else is asked for in the usual words. */
export function noSuchDay(text: unknown): string {
  const [, year = "", month = "", day = ""] = (typeof text === "string" && DAY.exec(text)) || [];
  const longest = DAYS_OF_MONTH[Number(month) - 1];
  if (longest === undefined || Number(day) < 1 || Number(day) > 31) return "Enter a date as day, month and year";
  const said = `${Number(day)} ${monthName.format(new Date(`2000-${month}-01T00:00:00Z`))}`;
  return Number(day) > longest
    ? `There is no ${said}. Check the day.`
    : `There is no ${said} in ${Number(year)}. Check the date.`;
}
