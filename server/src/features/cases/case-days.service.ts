// Days on which something came about in a case: they have come, and are not from before it.
import type { Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { diedOn, hadDied, type Mortal } from "@app/shared/death";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "./case-parties.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";

/** No mediation goes on for longer before anybody opens its case here: whoever means it enters when the case started. */
const YEARS_BEFORE = 5;

type Begun = Pick<CaseDoc, "startedOn"> & { createdAt: Date | string };

/** BAD_REQUEST at this field where the day is still to come, or before its case; an empty one was not entered. */
export async function assertInCase(scope: Scope, begun: Begun, field: string, day: string): Promise<void> {
  await assertNotLater(scope, field, day);
  const { startedOn } = begun;
  if (startedOn === "") return assertNotLongBefore(scope, begun, field, day);
  if (day === "" || day >= startedOn) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    field,
    `This case started on ${calendarDay(startedOn)}. Enter a later day, or correct when it started.`,
  );
}

/** The same of what may have come about before its case, such as that somebody was met: but not so long ago as a slip says. */
export async function assertNotLongBefore(
  scope: Scope,
  { startedOn, createdAt }: Begun,
  field: string,
  day: string,
): Promise<void> {
  const opened = dayIn(await practiceTimeZone(scope.ownerId), new Date(createdAt));
  const first = `${Number(opened.slice(0, 4)) - YEARS_BEFORE}${opened.slice(4)}`;
  if (day === "" || day >= first || (startedOn !== "" && startedOn <= day)) return;
  throw badField(
    field,
    `This is over ${YEARS_BEFORE} years before the case was opened. Check the year, or enter when the case started.`,
  );
}

/** BAD_REQUEST at this field where somebody is said to have done something after the day on which they died. */
export async function assertAlive(
  scope: Scope,
  party: Mortal & Pick<Party, "label">,
  field: string,
  day: string,
): Promise<void> {
  if (!hadDied(party, day)) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    field,
    `${party.label} is recorded as dead since ${calendarDay(diedOn(party))}. Enter an earlier day, or take that step back if it was wrong.`,
  );
}
