// Which times of a link are free, and whose.
import { bookableSpan, computeSlots, type SlotRules, slotsOneByOne } from "@app/shared/slots";
import { cityOf } from "@app/shared/zone-names";
import { TAKEN } from "@app/shared/booking-limits";
import { SLOTS_MAX } from "@app/shared/bookings";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { datesIn } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import { horizonMs, hostCalendars, hostCalendarsNow, type HostCalendar } from "../meetings/host-calendars.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";

const WEEK_MS = 7 * DAY_MS;
const SEARCHED_MS = 3 * WEEK_MS;
const OFFERED = 3;

/** What is to be booked, and with whom. */
export interface Wanted {
  ownerId: string;
  mediatorIds: readonly string[];
  minutes: number;
  /** How long it is until what is chosen now can be taken: so much sooner it has to be known. */
  untilTakenMs?: number;
  /** What makes room: their own hold, or the meeting that is moved. */
  exceptHoldIds?: readonly string[];
  exceptIds?: readonly string[];
}

/** All that is free from now on as far as anybody of them can be booked, each time once; one more than are told. */
export async function freeTimes(wanted: Wanted): Promise<number[]> {
  const from = now().getTime();
  const hosts = await calendarsFor(wanted, from, from + (await horizonMs(wanted.ownerId, wanted.mediatorIds)));
  const times = new Set(hosts.flatMap((host) => computeSlots(rulesOf(host, wanted))));
  return [...times].toSorted((one, other) => one - other).slice(0, SLOTS_MAX + 1);
}

/** How many of these are free one beside the other: times that overlap are one. */
export async function freeBeside(wanted: Wanted): Promise<number> {
  let count = 0;
  let until = 0;
  for (const at of await freeTimes(wanted)) {
    if (at < until) continue;
    count += 1;
    until = at + wanted.minutes * MINUTE_MS;
  }
  return count;
}

const calendarsFor = ({ ownerId, mediatorIds, exceptHoldIds = [], exceptIds = [] }: Wanted, from: number, to: number) =>
  hostCalendars(ownerId, { userIds: mediatorIds, from, to, exceptHoldIds, exceptIds });

/** For one time that many may ask for at one moment. */
const calendarsNow = ({ ownerId, mediatorIds, exceptHoldIds = [], exceptIds = [] }: Wanted, from: number, to: number) =>
  hostCalendarsNow(ownerId, { userIds: mediatorIds, from, to, exceptHoldIds, exceptIds });

function rulesOf(
  host: HostCalendar,
  { minutes, untilTakenMs = 0 }: Wanted,
  within?: { from: number; until: number },
): SlotRules {
  const { minNoticeHours, ...rules } = host.rules;
  const { from, to } = bookableSpan({
    timeZone: host.timeZone,
    now: now().getTime(),
    minNoticeMinutes: minNoticeHours * 60 + untilTakenMs / MINUTE_MS,
    horizonDays: rules.horizonDays,
  });
  const { timeZone, weekly, overrides, holidays, busy, perDay, knownUntil } = host;
  const asked = { timeZone, weekly, overrides, holidays, busy, perDay, durationMinutes: minutes, ...rules };
  const until = Math.min(to, knownUntil);
  return {
    ...asked,
    from: Math.max(from, within?.from ?? from),
    until: Math.min(until, within?.until ?? until),
  };
}

export interface Host {
  userId: string;
  before: number;
  after: number;
}

/** Who takes this time: whoever held it for the same visitor, or who has least to do that week. CONFLICT where nobody can. */
export async function hostFor(wanted: Wanted, startsAt: Date, heldBy: string | null): Promise<Host> {
  const at = startsAt.getTime();
  const hosts = await calendarsNow(wanted, at - WEEK_MS / 2, at + WEEK_MS / 2);
  const free = hosts.filter((host) => computeSlots(rulesOf(host, wanted, { from: at, until: at + 1 })).length > 0);
  const load = ({ perDay }: HostCalendar) => [...perDay.values()].reduce((sum, count) => sum + count, 0);
  const [host] = free.toSorted(
    (one, other) => Number(other.userId === heldBy) - Number(one.userId === heldBy) || load(one) - load(other),
  );
  if (!host) throw conflict("taken");
  const { bufferBeforeMinutes: before, bufferAfterMinutes: after } = host.rules;
  return { userId: host.userId, before, after };
}

/** What somebody wants to be left free around a meeting, in minutes. */
export async function roomAround(ownerId: string, userId: string): Promise<Pick<Host, "before" | "after">> {
  const from = now().getTime();
  const [host] = await hostCalendarsNow(ownerId, { userIds: [userId], from, to: from + MINUTE_MS });
  return { before: host?.rules.bufferBeforeMinutes ?? 0, after: host?.rules.bufferAfterMinutes ?? 0 };
}

/** In the zone of whoever asked, so that nobody has to reckon. */
export async function takenWords(wanted: Wanted, startsAt: Date, timeZone: string): Promise<string> {
  const from = startsAt.getTime();
  const hosts = await calendarsNow(wanted, from, from + SEARCHED_MS);
  const found = hosts.flatMap((host) => firstOf(rulesOf(host, wanted, { from, until: from + SEARCHED_MS })));
  const times = [...new Set(found)].toSorted((one, other) => one - other).slice(0, OFFERED);
  const { dateTime } = datesIn(await practiceRegion(wanted.ownerId), timeZone);
  const next = times.map((at) => dateTime(new Date(at))).join("; ");
  const zone = `${cityOf(timeZone)} time`;
  return `${TAKEN} ${next ? `The next free ones are: ${next} (${zone}).` : "Choose another one."}`;
}

function firstOf(rules: SlotRules): number[] {
  const times: number[] = [];
  for (const at of slotsOneByOne(rules)) if (times.push(at) === OFFERED) break;
  return times;
}

export const endOf = (startsAt: Date, minutes: number): Date => new Date(startsAt.getTime() + minutes * MINUTE_MS);
