import { addDays } from "@app/shared/days";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";

const DAY_MS = 86_400_000;
/** When most offices are open. */
const HOURS = { first: 9, last: 16 };
const [SUNDAY, SATURDAY] = [0, 6];

/** The full hour that comes next on the next working day: somewhere to start from. */
export function nextHour(timeZone: string): string {
  const { day, time } = wallTimeOf(timeZone, new Date(Date.now() + DAY_MS));
  const hour = Math.min(Math.max(Number(time.slice(0, 2)) + 1, HOURS.first), HOURS.last);
  return instantOf(timeZone, { day: workingDayFrom(day), time: `${String(hour).padStart(2, "0")}:00` }).toISOString();
}

function workingDayFrom(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === SATURDAY) return addDays(day, 2);
  return weekday === SUNDAY ? addDays(day, 1) : day;
}
