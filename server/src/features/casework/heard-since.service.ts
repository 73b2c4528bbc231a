// Signs that somebody is about to come, or was spoken with after they refused or went quiet.
import type { Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { isHolding, MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { wasThere } from "@app/shared/session-states";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { bookedFirst } from "../meetings/first-meetings.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";

/** Each in words; empty where there is none. */
export interface Signs {
  /** A first meeting of theirs is still to come, or nobody has said yet whether they came to one, or to another meeting. */
  awaited: string;
  /** They came to a meeting after the day of their last step. */
  heard: string;
  /** Something else than a first meeting is booked with them, and is still to come. */
  planned: string;
}

type Standing = Pick<Party, "partyId" | "label" | "lastStep">;

export async function signsOf(scope: Scope, caseId: string, parties: readonly Standing[]): Promise<Map<string, Signs>> {
  const [meetings, timeZone, dates] = await Promise.all([
    meetingsOfCase(scope, caseId),
    practiceTimeZone(scope.ownerId),
    practiceDates(scope.ownerId),
  ]);
  const dayOf = ({ startsAt }: Meeting) => dayIn(timeZone, new Date(startsAt));
  const signs = parties.map(async (party): Promise<[string, Signs]> => {
    const [first] = await bookedFirst(scope, { caseId, partyId: party.partyId });
    const since = meetings.filter((meeting) => party.lastStep !== null && dayOf(meeting) > party.lastStep.on);
    const open = since.filter((meeting) => isUnmarked(meeting, party));
    const begun = open.find(({ startsAt }) => new Date(startsAt) <= now());
    const toCome = open.findLast(({ startsAt }) => new Date(startsAt) > now());
    const [last] = since.filter((meeting) => hasCome(meeting, party));
    return [
      party.partyId,
      {
        awaited: first
          ? firstWords(party, first.startsAt, dates.dateTime(first.startsAt))
          : begun
            ? `${meetingWith(party, begun)} was booked for ${dates.dateTime(new Date(begun.startsAt))}, ${NOT_SAID}`
            : "",
        heard: last ? `${party.label} was spoken with on ${dates.calendarDay(dayOf(last))}.` : "",
        planned: toCome
          ? `${meetingWith(party, toCome)} is booked for ${dates.dateTime(new Date(toCome.startsAt))}, so they may have answered since.`
          : "",
      },
    ];
  });
  return new Map(await Promise.all(signs));
}

const NOT_SAID = "and nobody has said yet whether they came. Say so in the calendar first.";

const firstWords = ({ label }: Standing, startsAt: Date, when: string): string =>
  startsAt > now()
    ? `A first meeting with ${label} is booked for ${when}. Wait until it was held or missed; if they will not come, cancel it first.`
    : `A first meeting with ${label} was booked for ${when}, ${NOT_SAID}`;

const meetingWith = ({ label }: Standing, { type }: Meeting): string =>
  type === "other" ? `A meeting with ${label}` : `${MEETING_TYPE_NAMES[type]} with ${label}`;

const isUnmarked = ({ status, partyIds, attendance }: Meeting, { partyId }: Standing): boolean =>
  isHolding(status) && partyIds.includes(partyId) && !attendance.some((mark) => mark.partyId === partyId);

const hasCome = ({ attendance }: Meeting, { partyId }: Standing): boolean =>
  attendance.some((mark) => mark.partyId === partyId && wasThere({ state: mark.attendance }));
