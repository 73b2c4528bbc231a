// Days on which something came about in a case: they have come, and are not from before it.
import { dayIn } from "@app/shared/days";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";

/** No mediation goes on for longer before anybody opens its case here: whoever means it enters when the case started. */
const YEARS_BEFORE = 5;

type Begun = Pick<CaseDoc, "startedOn" | "createdAt">;

/** BAD_REQUEST at this field where the day is still to come, or before its case; an empty one was not entered. */
export async function assertInCase(scope: Scope, { startedOn, createdAt }: Begun, field: string, day: string) {
  await assertNotLater(scope, field, day);
  if (day === "") return;
  const opened = dayIn(await practiceTimeZone(scope.ownerId), createdAt);
  const first = startedOn || `${Number(opened.slice(0, 4)) - YEARS_BEFORE}${opened.slice(4)}`;
  if (day >= first) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    field,
    startedOn
      ? `This case started on ${calendarDay(startedOn)}. Enter a later day, or correct when it started.`
      : `This is over ${YEARS_BEFORE} years before the case was opened. Check the year, or enter when the case started.`,
  );
}
