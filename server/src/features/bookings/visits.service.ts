// What whoever opens a link does: they see what is free, hold a time and book it.
import type { z } from "zod";
import type {
  BookingPage,
  BookSlot,
  bookedSlotSchema,
  heldSchema,
  holdSlotSchema,
  letGoSchema,
  listSlotsSchema,
  slotsSchema,
} from "@app/shared/bookings";
import { SLOTS_MAX } from "@app/shared/bookings";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { withSlots, withRoom } from "../meetings/calendar-locks.service.ts";
import { holdIdsOf, holdSlot, letGo, ownHold } from "../meetings/slot-holds.service.ts";
import { findSentVisit } from "../meetings/visits.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import { answersTo, assertHuman, pageOf, redeem, type Visitor, visitorOf } from "./booking-form.ts";
import { bookVisit, onceADay, whereTaken } from "./booking-acts.ts";
import { ownDepositOf, payPathIn } from "./booking-deposits.service.ts";
import { assertAsked, depositNow, isConfirmedByPractice, sumOf } from "./deposit-terms.ts";
import { depositOfMeeting } from "./deposit-words.ts";
import { endOf, freeBeside, freeTimes, hostFor, type Wanted } from "./booking-slots.service.ts";
import { tellMediators } from "./mediator-notices.ts";
import {
  assertAsShown,
  deadLink,
  findOpenLink,
  linkOfVisit,
  mediatorsOf,
  requireOpenLink,
  scopeOf,
} from "./open-links.service.ts";
import { changeableUntil, isTheirsAlone, requireVisit, stateOf, toAppointment, wantedAnew } from "./own-visits.ts";
import { findOpenPair, pairPage, pairTimes } from "./pair-picks.service.ts";
import { tellingStaff } from "./refused-visits.ts";
import { countingMailTo, countLook, countTry } from "./visitor-limits.ts";

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
  const { mediatorIds } = await wantedAnew({ meeting, link: used });
  const deposit = await ownDepositOf(meeting);
  return {
    kind: "manage",
    ...(await pageOf(used, id)),
    state,
    appointment,
    changeableUntil: new Date(until).toISOString(),
    isChangeable: state === "coming" && isTheirsAlone(meeting) && now().getTime() < until,
    isMovable: mediatorIds.length > 0 && deposit?.state !== "due",
    noticeHours: used.noticeHours,
    deposit,
  };
}

async function linkPage(link: BookingLinkDoc, id: string): Promise<BookingPage> {
  const mediators = await mediatorsOf(link);
  if (mediators.length === 0) throw deadLink();
  const deposit = sumOf(await depositNow(link));
  return {
    kind: "book",
    ...(await pageOf(link, id)),
    version: link.version,
    mediators: link.mediatorChoice === "visitor" && mediators.length > 1 ? mediators : [],
    questions: link.questions,
    isKnown: link.clientId !== null,
    needsConfirmation: isConfirmedByPractice(link, deposit),
    noticeHours: link.noticeHours,
    deposit,
  };
}

/** Of a link, or for moving what was booked. */
export async function listSlots(
  { ip }: Visitor,
  { id, mediatorId, holder }: z.output<typeof listSlotsSchema>,
): Promise<z.infer<typeof slotsSchema>> {
  await countLook(ip);
  const link = await findOpenLink(id);
  const pair = link ? null : await findOpenPair(id);
  if (pair) return toSlots(await pairTimes(pair));
  const wanted = link ? { ...(await wantedOf(link, mediatorId)), own: null } : await wantedToMove(id);
  if (!wanted) return toSlots([]);
  const own = wanted.own?.getTime();
  const exceptHoldIds = link && holder ? await holdIdsOf(link.ownerId, hashToken(holder)) : [];
  return toSlots(await freeTimes({ ...wanted, exceptHoldIds }), own);
}

const toSlots = (times: readonly number[], own?: number): z.infer<typeof slotsSchema> => ({
  items: times.flatMap((at, index) => (at === own || index >= SLOTS_MAX ? [] : new Date(at).toISOString())),
  hasLater: times.length > SLOTS_MAX,
});

async function wantedOf(link: BookingLinkDoc, mediatorId: string | null): Promise<Wanted> {
  const ids = (await mediatorsOf(link)).map(({ id }) => id);
  const isChosen = mediatorId !== null && link.mediatorChoice === "visitor" && ids.includes(mediatorId);
  return { ownerId: link.ownerId, minutes: link.minutes, mediatorIds: isChosen ? [mediatorId] : ids };
}

/** Null where they cannot move it: what is free but for this meeting tells when everybody else of it is expected. */
async function wantedToMove(id: string): Promise<(Wanted & { own: Date }) | null> {
  const { meeting, link } = await requireVisit(id);
  await toAppointment(meeting, link);
  const wanted = await wantedAnew({ meeting, link });
  return isTheirsAlone(meeting) && wanted.mediatorIds.length > 0 ? { ...wanted, own: meeting.startsAt } : null;
}

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
  const payPath = payPathIn(await depositOfMeeting(sent.meeting));
  return { manageId: sent.token, appointment: await toAppointment(sent.meeting, link), payPath };
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
  const deposit = await depositNow(link);
  assertAsked(deposit, input.shownDeposit);
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
    deposit,
    isToConfirm: isConfirmedByPractice(link, deposit),
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
  // Of what is to be paid first they are told once it is paid.
  if (!deposit) await tellMediators(meeting, { what: booking.isToConfirm ? "asked" : "booked", link }, log);
  const payPath = deposit ? payPathIn(await depositOfMeeting(meeting)) : "";
  return { manageId, appointment: await toAppointment(meeting, link), payPath };
}
