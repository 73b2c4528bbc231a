import type { Availability } from "@app/shared/availability";

/** Whether somebody with these hours works at this wall time, such as 2026-11-20 and 09:30. */
export function isWorkingAt(
  { weekly, daysOff, otherHours }: WorkingTime,
  { day, time }: { day: string; time: string },
) {
  if (daysOff.includes(day)) return false;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const ranges =
    otherHours.find((other) => other.day === day)?.ranges ?? weekly.filter((range) => range.weekday === weekday);
  return ranges.some(({ from, to }) => from <= time && time < to);
}

export type WorkingTime = Pick<Availability, "weekly" | "daysOff" | "otherHours">;
