// Days on which something happened: none of them is still to come.
import { dayIn } from "@app/shared/days";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "./practices.service.ts";

/** Throws where this day has not come yet in the practice's zone; an empty one was not entered. */
export async function assertNotLater(scope: Scope, field: string, day: string): Promise<void> {
  if (day > (await practiceToday(scope.ownerId)))
    throw badField(field, "This day is in the future. Enter the day on which it happened.");
}

/** What was recorded had been by then: BAD_REQUEST where a day (yyyy-mm-dd) of it lies after the one on which it was. */
export async function assertByThen(
  { ownerId }: Pick<Scope, "ownerId">,
  field: string,
  { on, recordedAt }: { on: string; recordedAt: Date },
): Promise<void> {
  const recordedOn = dayIn(await practiceTimeZone(ownerId), recordedAt);
  if (on <= recordedOn) return;
  const { calendarDay } = await practiceDates(ownerId);
  throw badField(
    field,
    `This was recorded on ${calendarDay(recordedOn)}. Enter that day or an earlier one; what came later has a record of its own.`,
  );
}
