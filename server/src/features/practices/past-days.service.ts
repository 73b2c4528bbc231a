// Days on which something happened: none of them is still to come.
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceToday } from "./practices.service.ts";

/** Throws where this day has not come yet in the practice's zone; an empty one was not entered. */
export async function assertNotLater(scope: Scope, field: string, day: string): Promise<void> {
  if (day > (await practiceToday(scope.ownerId)))
    throw badField(field, "This day is in the future. Enter the day on which it happened.");
}
