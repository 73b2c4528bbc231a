// Until when an enquiry is to be answered: one working day in the practice's zone. Free of zod.
import { addDays } from "./days.ts";
import { instantOf, wallTimeOf } from "./wall-time.ts";

const SUNDAY = 0;
const SATURDAY = 6;
/** What comes in at the weekend is there when the week begins. */
const WEEK_BEGINS = "09:00";

const isWorkingDay = (day: string): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== SATURDAY && weekday !== SUNDAY;
};

function nextWorkingDay(day: string): string {
  const next = addDays(day, 1);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** The same time of the next working day. */
export function responseDue(timeZone: string, arrivedAt: Date): Date {
  const { day, time } = wallTimeOf(timeZone, arrivedAt);
  const from = isWorkingDay(day) ? { day, time } : { day: nextWorkingDay(day), time: WEEK_BEGINS };
  return instantOf(timeZone, { day: nextWorkingDay(from.day), time: from.time });
}
