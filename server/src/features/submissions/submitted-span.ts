import { addDays } from "@app/shared/days";
import { instantOf } from "@app/shared/wall-time";

/** The instants between two days of the practice, the last one included; null without any day. */
export function spanOf(
  timeZone: string,
  { from, until }: { from?: string | undefined; until?: string | undefined },
): { $gte?: Date; $lt?: Date } | null {
  if (!from && !until) return null;
  const startOf = (day: string) => instantOf(timeZone, { day, time: "00:00" });
  return { ...(from ? { $gte: startOf(from) } : {}), ...(until ? { $lt: startOf(addDays(until, 1)) } : {}) };
}
