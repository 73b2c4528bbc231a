// Booking and moving for somebody outside: the same locks and gates as for staff, and one of them gets each time.
import { TRPCError } from "@trpc/server";
import { DEPOSIT_MINUTES } from "@app/shared/booking-limits";
import { dayIn } from "@app/shared/days";
import { isFieldError } from "../../core/errors.ts";
import { conflict } from "../../core/visitor-refusals.ts";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { newId, newToken } from "../../core/ids.ts";
import { getClient } from "../clients/clients.service.ts";
import { becomeLead } from "../leads/lead-capture.service.ts";
import { bookMeeting } from "../meetings/booking.service.ts";
import { prepareLocks, takeLock } from "../meetings/calendar-locks.service.ts";
import { isDayFull, maxPerDayOf } from "../meetings/host-calendars.service.ts";
import { requireMeeting } from "../meetings/meetings.service.ts";
import { moveMeeting } from "../meetings/rescheduling.service.ts";
import { findVisit, type MeetingDoc } from "../meetings/visits.service.ts";
import { askForDeposit } from "../payments/deposits.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import type { DepositNow } from "./deposit-terms.ts";
import { endOf, hostFor, takenWords, type Wanted } from "./booking-slots.service.ts";
import { countUse, deadLink, takeUse, partyIdsOf, scopeOf } from "./open-links.service.ts";
import { saidOnBooking } from "./visitor-leads.ts";

interface Asked {
  wanted: Wanted;
  startsAt: Date;
  timeZone: string;
}

/** Refuses what is taken in words for whoever asked: with the next free times, in their zone. */
export async function whereTaken<Result>({ wanted, startsAt, timeZone }: Asked, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    const isTaken = error instanceof TRPCError && error.code === "CONFLICT" && error.cause === undefined;
    if (!isTaken || isFieldError(error) || error.message.startsWith(SENT_ALREADY)) throw error;
    throw conflict(await takenWords(wanted, startsAt, timeZone));
  }
}

const SENT_ALREADY = "This was sent already";

interface DayOf {
  ownerId: string;
  userId: string;
  at: number;
  exceptHoldIds?: readonly string[];
  exceptIds?: readonly string[];
}

/** Bookings of one day of somebody's own calendar come one by one, so that none is over what they want of a day. */
export async function onceADay<Result>(
  { ownerId, userId, ...day }: DayOf,
  work: (assertDay: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  // Where any number will do nobody waits for anybody else.
  if ((await maxPerDayOf(ownerId, userId)) === null) return work(() => Promise.resolve());
  const id = `${userId}:${dayIn(await practiceTimeZone(ownerId), new Date(day.at))}:most`;
  await prepareLocks(ownerId, [id]);
  return work(async () => {
    await takeLock(ownerId, id);
    if (await isDayFull(ownerId, userId, day)) throw conflict("taken");
  });
}

interface Booking extends Asked {
  link: BookingLinkDoc;
  visitor: { name: string; email: string; phone: string } | null;
  answers: { label: string; answer: string }[];
  heldBy: string | null;
  /** What is paid first. */
  deposit: DepositNow | null;
  /** The practice confirms it first. */
  isToConfirm: boolean;
  sentHash: string;
  /** What is used up with it, in its transaction. */
  redeem: () => Promise<void>;
}

export async function bookVisit(booking: Booking): Promise<{ manageId: string; meeting: MeetingDoc }> {
  const { link, wanted, startsAt, timeZone, visitor, answers, sentHash, redeem } = booking;
  const manageId = newToken();
  await whereTaken(booking, async () => {
    const host = await hostFor(wanted, startsAt, booking.heldBy);
    const { exceptHoldIds = [] } = wanted;
    const day = { ownerId: link.ownerId, userId: host.userId, at: startsAt.getTime(), exceptHoldIds };
    const input = await meetingOf(booking, host.userId);
    await onceADay(day, (assertDay) =>
      bookMeeting(scopeOf(link), input, {
        around: host,
        exceptHoldIds,
        booking: { linkId: link._id, clientId: link.clientId, timeZone, token: manageId, visitor, answers, sentHash },
        keep: async () => {
          await redeem();
          await assertDay();
          await takeUse(link);
          const lead = visitor ? await becomeLead(link.ownerId, saidOnBooking({ visitor, answers })) : null;
          if (booking.deposit) await askToPay(booking, booking.deposit, { manageId, leadId: lead?.id ?? null });
        },
      }),
    );
  });
  await countUse(link);
  return { manageId, meeting: await visitOf(manageId) };
}

/** Until it is paid the request holds its time, like one that waits for the practice. */
async function askToPay(
  { link, visitor }: Booking,
  { line, currency }: DepositNow,
  { manageId, leadId }: { manageId: string; leadId: string | null },
): Promise<void> {
  const { ownerId, clientId, caseId } = link;
  const [partyId] = await partyIdsOf(link);
  const payer =
    partyId === undefined || clientId === null
      ? { kind: "visitor" as const, visitId: newId() }
      : { kind: "party" as const, partyId, clientId };
  await askForDeposit(ownerId, {
    visitHash: hashToken(manageId),
    leadId,
    line,
    payer,
    payerName: visitor?.name ?? (clientId ? (await getClient(scopeOf(link), clientId)).displayName : ""),
    caseId,
    currency,
    until: new Date(now().getTime() + DEPOSIT_MINUTES * MINUTE_MS),
  });
}

async function meetingOf({ link, startsAt, visitor, deposit, isToConfirm }: Booking, mediatorId: string) {
  const isBooked = deposit === null && !isToConfirm;
  return {
    startsAt: startsAt.toISOString(),
    endsAt: endOf(startsAt, link.minutes).toISOString(),
    type: link.type,
    title: visitor?.name ?? "",
    location: link.location,
    mediatorIds: [mediatorId],
    partyIds: await partyIdsOf(link),
    arrivals: [],
    childIds: [],
    arrangements: [],
    againstMeasures: "",
    note: "",
    rooms: [],
    others: [],
    caseId: link.caseId,
    clientId: link.caseId ? null : link.clientId,
    status: isBooked ? ("booked" as const) : ("proposed" as const),
    repeat: null,
    allowsOverlap: false,
    allowsCrowding: true,
    isInvitationSent: isBooked,
  };
}

async function visitOf(token: string): Promise<MeetingDoc> {
  const meeting = await findVisit(token);
  if (!meeting) throw deadLink();
  return meeting;
}

interface Moving {
  meeting: MeetingDoc;
  link: BookingLinkDoc;
  wanted: Wanted;
  startsAt: Date;
  redeem: () => Promise<void>;
}

export async function moveVisit({ meeting, link, wanted, startsAt, redeem }: Moving): Promise<MeetingDoc> {
  const timeZone = meeting.booking?.timeZone ?? meeting.timeZone;
  const movedId = await whereTaken({ wanted, startsAt, timeZone }, async () => {
    const host = await hostFor(wanted, startsAt, null);
    const day = { ownerId: link.ownerId, userId: host.userId, at: startsAt.getTime(), exceptIds: [meeting._id] };
    const when = { startsAt: startsAt.toISOString(), endsAt: endOf(startsAt, wanted.minutes).toISOString() };
    const input = { ...when, id: meeting._id, version: meeting.version, reason: "Moved by whoever booked it" };
    const { id } = await onceADay(day, (assertDay) =>
      moveMeeting(
        scopeOf(link),
        { ...input, allowsOverlap: false },
        {
          around: host,
          // Whoever works here no more does not mediate it; those who do stay.
          mediatorIds: meeting.mediatorIds.some((id) => wanted.mediatorIds.includes(id))
            ? meeting.mediatorIds.filter((id) => wanted.mediatorIds.includes(id))
            : [host.userId],
          // What the practice wants to confirm it confirms again; a party's appointment stands, as their calendar has it.
          isAskedAnew: link.needsConfirmation && meeting.caseId === null,
          keep: async () => {
            await redeem();
            await assertDay();
          },
        },
      ),
    );
    return id;
  });
  return requireMeeting(scopeOf(link), movedId);
}
