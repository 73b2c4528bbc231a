// What whoever opens a link does: they see what is free, hold a time, book it, and move or cancel what they booked.
import type { z } from "zod";
import type {
  Appointment,
  BookingPage,
  BookSlot,
  bookedSlotSchema,
  cancelBookingSchema,
  heldSchema,
  holdSlotSchema,
  letGoSchema,
  listSlotsSchema,
  moveBookingSchema,
  slotsSchema,
} from "@app/shared/bookings";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import { withSlots, withRoom } from "../meetings/calendar-locks.service.ts";
import { cancelMeeting } from "../meetings/meetings.service.ts";
import { holdIdsOf, holdSlot, letGo, ownHold } from "../meetings/slot-holds.service.ts";
import {
  calendarOfVisit,
  findSentVisit,
  findVisit,
  type MeetingDoc,
  shownOfVisit,
} from "../meetings/visits.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import { answersTo, assertHuman, pageOf, redeem, type Visitor, visitorOf } from "./booking-form.ts";
import { bookVisit, moveVisit, onceADay, whereTaken } from "./booking-acts.ts";
import { endOf, freeBeside, freeTimes, hostFor, type Wanted } from "./booking-slots.service.ts";
import { tellMediators } from "./mediator-notices.ts";
import {
  assertAsShown,
  deadLink,
  findOpenLink,
  giveUseBack,
  linkOfVisit,
  mediatorsOf,
  requireOpenLink,
  scopeOf,
} from "./open-links.service.ts";
import { findOpenPair, pairPage, pairTimes } from "./pair-picks.service.ts";
import { tellingStaff, unlessChanged } from "./refused-visits.ts";
import { countingMailTo, countLook, countTry } from "./visitor-limits.ts";

const GONE_AFTER_MS = 30 * DAY_MS;
/** Where little is free, no network holds more than one of so many. */
const HELD_OF_ONE_IN = 3;

/** The page of a link, or of what was booked by one. */
export async function openPage({ ip }: Visitor, { id }: { id: string }): Promise<BookingPage> {
  await countLook(ip);
  const link = await findOpenLink(id);
  if (link) return linkPage(link, id);
  const pair = await findOpenPair(id);
  if (pair) return pairPage(pair, id);
  const { meeting, link: used } = await requireVisit(id);
  const appointment = await toAppointment(meeting, used);
  const startsAt = new Date(appointment.startsAt);
  const until = changeableUntil(used, startsAt);
  const state = stateOf({ ...meeting, startsAt });
  return {
    kind: "manage",
    ...(await pageOf(used, id)),
    state,
    appointment,
    changeableUntil: new Date(until).toISOString(),
    isChangeable: state === "coming" && isTheirsAlone(meeting) && now().getTime() < until,
  };
}

async function linkPage(link: BookingLinkDoc, id: string): Promise<BookingPage> {
  const mediators = await mediatorsOf(link);
  if (mediators.length === 0) throw deadLink();
  return {
    kind: "book",
    ...(await pageOf(link, id)),
    version: link.version,
    mediators: link.mediatorChoice === "visitor" && mediators.length > 1 ? mediators : [],
    questions: link.questions,
    isKnown: link.clientId !== null,
    needsConfirmation: link.needsConfirmation,
    noticeHours: link.noticeHours,
  };
}

const changeableUntil = ({ noticeHours }: BookingLinkDoc, startsAt: Date): number =>
  startsAt.getTime() - noticeHours * HOUR_MS;

/** Nobody moves or cancels by their link what others come to as well by now. */
const isTheirsAlone = ({ partyIds }: MeetingDoc): boolean => partyIds.length < 2;

const stateOf = ({ status, startsAt }: MeetingDoc): "coming" | "cancelled" | "over" => {
  if (status === "cancelled" || status === "expired") return "cancelled";
  return startsAt > now() ? "coming" : "over";
};

async function toAppointment(meeting: MeetingDoc, { clientId }: BookingLinkDoc): Promise<Appointment> {
  const shown = await shownOfVisit(meeting, clientId);
  if (!shown) throw deadLink();
  return { ...shown, calendar: await calendarOfVisit(meeting) };
}

async function requireVisit(token: string): Promise<{ meeting: MeetingDoc; link: BookingLinkDoc }> {
  const meeting = await findVisit(token);
  const link = meeting?.booking ? await linkOfVisit(meeting.ownerId, meeting.booking.linkId) : null;
  if (!meeting || !link || now().getTime() - meeting.endsAt.getTime() > GONE_AFTER_MS) throw deadLink();
  return { meeting, link };
}

/** Of a link, or for moving what was booked. */
export async function listSlots(
  { ip }: Visitor,
  { id, mediatorId, holder }: z.output<typeof listSlotsSchema>,
): Promise<z.infer<typeof slotsSchema>> {
  await countLook(ip);
  const link = await findOpenLink(id);
  const pair = link ? null : await findOpenPair(id);
  if (pair) return { items: (await pairTimes(pair)).map((at) => new Date(at).toISOString()) };
  const wanted = link ? await wantedOf(link, mediatorId) : await wantedToMove(id);
  if (!wanted) return { items: [] };
  const exceptHoldIds = link && holder ? await holdIdsOf(link.ownerId, hashToken(holder)) : [];
  return { items: (await freeTimes({ ...wanted, exceptHoldIds })).map((at) => new Date(at).toISOString()) };
}

async function wantedOf(link: BookingLinkDoc, mediatorId: string | null): Promise<Wanted> {
  const ids = (await mediatorsOf(link)).map(({ id }) => id);
  const isChosen = mediatorId !== null && link.mediatorChoice === "visitor" && ids.includes(mediatorId);
  return { ownerId: link.ownerId, minutes: link.minutes, mediatorIds: isChosen ? [mediatorId] : ids };
}

/** Null where they cannot move it: what is free but for this meeting tells when everybody else of it is expected. */
async function wantedToMove(id: string): Promise<Wanted | null> {
  const { meeting, link } = await requireVisit(id);
  await toAppointment(meeting, link);
  return isTheirsAlone(meeting) ? wantedAnew({ meeting }) : null;
}

/** For as long as it was booked for, whatever its link asks for by now. */
const wantedAnew = ({ meeting }: { meeting: MeetingDoc }): Wanted => ({
  ownerId: meeting.ownerId,
  minutes: (meeting.endsAt.getTime() - meeting.startsAt.getTime()) / MINUTE_MS,
  mediatorIds: meeting.mediatorIds,
  exceptIds: [meeting._id],
});

/** Null for a link that anybody may have. */
const ownIdOf = ({ _id, clientId }: BookingLinkDoc): string | null => (clientId ? _id : null);

/** Keeps a time while its visitor types, in place of what they held before. */
export async function holdTime(
  { ip }: Visitor,
  { id, version, mediatorId, startsAt, holder, timeZone }: z.output<typeof holdSlotSchema>,
): Promise<z.infer<typeof heldSchema>> {
  const link = await requireOpenLink(id);
  await countTry(ip, "hold", ownIdOf(link));
  assertAsShown(link, version);
  const { ownerId } = link;
  const tokenHash = hashToken(holder);
  const exceptHoldIds = await holdIdsOf(ownerId, tokenHash);
  const wanted = { ...(await wantedOf(link, mediatorId)), exceptHoldIds };
  const start = new Date(startsAt);
  const atMost = Math.max(1, Math.floor((await freeBeside(wanted)) / HELD_OF_ONE_IN));
  const heldUntil = await whereTaken({ wanted, startsAt: start, timeZone }, async () => {
    const host = await hostFor(wanted, start, null);
    const slot = { startsAt: start, endsAt: endOf(start, link.minutes), mediatorIds: [host.userId], held: [] };
    const withBuffers = withRoom(slot, host);
    const day = { ownerId, userId: host.userId, at: start.getTime(), exceptHoldIds };
    return onceADay(day, (assertDay) =>
      withSlots(scopeOf(link), [withBuffers], { exceptHoldIds, allowsOverlap: false }, async () => {
        await assertDay();
        const hold = { startsAt: withBuffers.startsAt, endsAt: withBuffers.endsAt };
        return holdSlot({ ...hold, ownerId, mediatorId: host.userId, tokenHash, ip, atMost });
      }),
    );
  });
  return { heldUntil: heldUntil.toISOString() };
}

/** Somebody chose nothing after all. */
export async function letTimeGo(_visitor: Visitor, { id, holder }: z.output<typeof letGoSchema>): Promise<null> {
  const link = await requireOpenLink(id);
  await letGo(link.ownerId, hashToken(holder));
  return null;
}

/** The same that is sent again, because its answer was lost, is answered as the first time. */
export async function bookTime(by: Visitor, input: BookSlot): Promise<z.infer<typeof bookedSlotSchema>> {
  const sentHash = hashToken(`${input.holder} ${input.formToken}`);
  const before = await sentBefore(sentHash, input);
  if (before) return before;
  try {
    return await book(by, input, sentHash);
  } catch (error) {
    const meanwhile = await sentBefore(sentHash, input);
    if (meanwhile) return meanwhile;
    throw error;
  }
}

async function sentBefore(sentHash: string, { id }: BookSlot): Promise<z.infer<typeof bookedSlotSchema> | null> {
  const sent = await findSentVisit(sentHash);
  if (!sent?.meeting.booking) return null;
  const link = await linkOfVisit(sent.meeting.ownerId, sent.meeting.booking.linkId);
  if (link?.publicHash !== hashToken(id)) return null;
  return { manageId: sent.token, appointment: await toAppointment(sent.meeting, link) };
}

async function book(
  { ip, log }: Visitor,
  input: BookSlot,
  sentHash: string,
): Promise<z.infer<typeof bookedSlotSchema>> {
  const link = await requireOpenLink(input.id);
  await countTry(ip, "book", ownIdOf(link));
  assertHuman(input.website);
  assertAsShown(link, input.version);
  const answers = answersTo(link, input.answers);
  const visitor = link.clientId ? null : visitorOf(link, input.person);
  const { ownerId } = link;
  const tokenHash = hashToken(input.holder);
  const held = await ownHold(ownerId, tokenHash);
  const wanted = { ...(await wantedOf(link, input.mediatorId)), exceptHoldIds: held.ids };
  const booking = {
    link,
    wanted,
    visitor,
    answers,
    heldBy: held.mediatorId,
    startsAt: new Date(input.startsAt),
    timeZone: input.timeZone,
    sentHash,
    redeem: async () => {
      await redeem(input);
      await letGo(ownerId, tokenHash);
    },
  };
  const booked = () => tellingStaff(link, () => bookVisit(booking));
  const { manageId, meeting } = await (visitor ? countingMailTo(visitor.email, booked) : booked());
  await tellMediators(meeting, { what: link.needsConfirmation ? "asked" : "booked", link }, log);
  return { manageId, appointment: await toAppointment(meeting, link) };
}

/** By the time at which they are expected, as their page shows it. */
async function assertChangeable({ meeting, link }: { meeting: MeetingDoc; link: BookingLinkDoc }): Promise<void> {
  const startsAt = new Date((await toAppointment(meeting, link)).startsAt);
  if (stateOf({ ...meeting, startsAt }) !== "coming")
    throw wrongState("This appointment is over or was cancelled. Phone us for a new one.");
  if (!isTheirsAlone(meeting)) throw wrongState("This appointment cannot be changed here. Please phone us.");
  if (now().getTime() >= changeableUntil(link, startsAt))
    throw wrongState(`It is less than ${link.noticeHours} hours until this appointment. Phone us to change it.`);
}

export async function moveBooking(
  { ip, log }: Visitor,
  { id, startsAt, formToken, website }: z.output<typeof moveBookingSchema>,
): Promise<Appointment> {
  const visit = await requireVisit(id);
  await countTry(ip, "change", visit.meeting._id);
  assertHuman(website);
  await assertChangeable(visit);
  const moving = {
    ...visit,
    wanted: wantedAnew(visit),
    startsAt: new Date(startsAt),
    redeem: () => redeem({ id, formToken }),
  };
  const meeting = await tellingStaff(visit.link, () => unlessChanged(() => moveVisit(moving)));
  const what = meeting.status === "proposed" ? "asked" : "moved";
  await tellMediators(meeting, { what, link: visit.link, before: visit.meeting.startsAt }, log);
  return toAppointment(meeting, visit.link);
}

export async function cancelBooking(
  { ip, log }: Visitor,
  { id, formToken, website }: z.output<typeof cancelBookingSchema>,
): Promise<null> {
  const visit = await requireVisit(id);
  await countTry(ip, "change", visit.meeting._id);
  assertHuman(website);
  await assertChangeable(visit);
  const { meeting, link } = visit;
  const cancelling = { reason: "Cancelled by whoever booked it", isLate: false, isWholeSeries: false };
  await unlessChanged(() =>
    inTransaction(async () => {
      await redeem({ id, formToken });
      await cancelMeeting(scopeOf(meeting), { id: meeting._id, version: meeting.version, ...cancelling });
      await giveUseBack(link);
    }),
  );
  await tellMediators(meeting, { what: "cancelled", link }, log);
  return null;
}
