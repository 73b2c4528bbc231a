// Signs that somebody is about to come, or was spoken with after they refused or went quiet.
import type { Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { wasThere } from "@app/shared/session-states";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { bookedFirst } from "../meetings/first-meetings.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";

/** What is open about the first meeting of each of these: it is still to come, or nobody has said yet whether they came. */
export async function awaitedFirst(
  scope: Scope,
  caseId: string,
  parties: readonly Party[],
): Promise<Map<string, string>> {
  const { dateTime } = await practiceDates(scope.ownerId);
  const open = new Map<string, string>();
  for (const { partyId, label } of parties) {
    const [first] = await bookedFirst(scope, { caseId, partyId });
    if (!first) continue;
    const when = dateTime(first.startsAt);
    const isToCome = first.startsAt > now();
    open.set(
      partyId,
      isToCome
        ? `A first meeting with ${label} is booked for ${when}. Wait until it was held or missed; if they will not come, cancel it first.`
        : `A first meeting with ${label} was booked for ${when}, and nobody has said yet whether they came. Say so in the calendar first.`,
    );
  }
  return open;
}

/** In words, when each of these last came to a meeting after the day of their last step. */
export async function heardSince(
  scope: Scope,
  caseId: string,
  parties: readonly Party[],
): Promise<Map<string, string>> {
  const meetings = await meetingsOfCase(scope, caseId);
  const timeZone = await practiceTimeZone(scope.ownerId);
  const { calendarDay } = await practiceDates(scope.ownerId);
  const heard = new Map<string, string>();
  for (const { partyId, label, lastStep } of parties) {
    const came = meetings.filter(({ attendance }) =>
      attendance.some((mark) => mark.partyId === partyId && wasThere({ state: mark.attendance })),
    );
    const last =
      came
        .map(({ startsAt }) => dayIn(timeZone, new Date(startsAt)))
        .toSorted()
        .at(-1) ?? "";
    if (lastStep && last > lastStep.on) heard.set(partyId, `${label} was spoken with on ${calendarDay(last)}.`);
  }
  return heard;
}
