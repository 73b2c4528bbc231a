import type { Availability } from "@app/shared/availability";

type OtherHours = Availability["otherHours"];

/** One day a line: 2026-12-24 09:00-12:00, 13:00-15:00 */
export const otherHoursText = (days: OtherHours): string =>
  days.map(({ day, ranges }) => `${day} ${ranges.map(({ from, to }) => `${from}-${to}`).join(", ")}`).join("\n");

const LINE = /^(\d{4}-\d{2}-\d{2})\s(.+)$/;
const RANGE = /^(\d{2}:\d{2})\s*[-–]\s*(\d{2}:\d{2})$/;

/** Null where a line cannot be read. */
export function otherHoursIn(text: string): OtherHours | null {
  const days: OtherHours = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, day, hours] = LINE.exec(line) ?? [];
    const ranges = (hours ?? "").split(",").map((part) => RANGE.exec(part.trim()));
    if (!day || ranges.some((range) => range === null)) return null;
    days.push({ day, ranges: ranges.map((range) => ({ from: range?.[1] ?? "", to: range?.[2] ?? "" })) });
  }
  return days;
}
