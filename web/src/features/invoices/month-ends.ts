import { addDays } from "@app/shared/days";

/** The first day of the month that is so many after this day's. */
export function firstOfMonth(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

export const lastOfMonth = (day: string): string => addDays(firstOfMonth(day, 1), -1);
