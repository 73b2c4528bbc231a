// Whoever booked something moves or cancels it.
import type { z } from "zod";
import type { Appointment, cancelBookingSchema, moveBookingSchema } from "@app/shared/bookings";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import { cancelMeeting } from "../meetings/meetings.service.ts";
import { addressOfVisit, type MeetingDoc } from "../meetings/visits.service.ts";
import { assertHuman, redeem, type Visitor } from "./booking-form.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { ownDepositOf } from "./booking-deposits.service.ts";
import { askStaff } from "./ask-staff.ts";
import type { Wanted } from "./booking-slots.service.ts";
import { moveVisit } from "./booking-acts.ts";
import { tellMediators } from "./mediator-notices.ts";
import { giveUseBack, scopeOf } from "./open-links.service.ts";
import {
  changeableUntil,
  isTheirsAlone,
  requireVisit,
  stateOf,
  toAppointment,
  type Visit,
  wantedAnew,
} from "./own-visits.ts";
import { cancelPair } from "./pair-answers.service.ts";
import { tellingStaff, unlessChanged } from "./refused-visits.ts";
import { countingMailTo, countTry } from "./visitor-limits.ts";

/** By the time at which they are expected, as their page shows it. */
async function assertChangeable({ meeting, link }: Visit): Promise<void> {
  const startsAt = new Date((await toAppointment(meeting, link)).startsAt);
  if (stateOf({ ...meeting, startsAt }) !== "coming")
    throw wrongState("This appointment is over or was cancelled. Phone us for a new one.");
  if (!isTheirsAlone(meeting)) throw wrongState("This appointment cannot be changed here. Please phone us.");
  if (now().getTime() >= changeableUntil(link, startsAt))
    throw wrongState(`It is less than ${link.noticeHours} hours until this appointment. Phone us to change it.`);
}

/** Stays when it is moved, as the meeting does not. */
const tokenHashOf = ({ _id, booking }: MeetingDoc): string => booking?.tokenHash ?? _id;

export async function moveBooking(
  { ip, log }: Visitor,
  { id, startsAt, formToken, website }: z.output<typeof moveBookingSchema>,
): Promise<Appointment> {
  const visit = await requireVisit(id);
  await countTry(ip, "change", tokenHashOf(visit.meeting));
  assertHuman(website);
  await assertChangeable(visit);
  if ((await ownDepositOf(visit.meeting))?.state === "due")
    throw wrongState("This time is not paid for yet. Pay first, or cancel it and choose another one.");
  if (new Date(startsAt).getTime() === visit.meeting.startsAt.getTime())
    throw wrongState("This is the time that you have already. Choose another one.");
  const moving = {
    ...visit,
    wanted: await wantedToMove(visit),
    startsAt: new Date(startsAt),
    redeem: () => redeem({ id, formToken }),
  };
  const moved = () => tellingStaff(visit.link, () => unlessChanged(() => moveVisit(moving)));
  const address = addressOfVisit(visit.meeting);
  const meeting = await (address ? countingMailTo(address, moved) : moved());
  const what = meeting.status === "proposed" ? "asked" : "moved";
  await tellMediators(meeting, { what, link: visit.link, before: visit.meeting.startsAt }, log);
  return toAppointment(meeting, visit.link);
}

/** Where nobody who could take it works here any more, a colleague is asked to arrange it. */
async function wantedToMove(visit: Visit): Promise<Wanted> {
  const wanted = await wantedAnew(visit);
  if (wanted.mediatorIds.length > 0) return wanted;
  const { ownerId, startsAt, caseId, clientIds } = visit.meeting;
  const { longDay } = await practiceDates(ownerId);
  await askStaff(
    { ownerId, assigneeId: ownerId, caseId, clientId: clientIds[0] ?? null },
    `Somebody wanted to move their appointment on ${longDay(startsAt)}, and nobody it was booked with works here any more. Get in touch with them`,
  );
  throw wrongState("This appointment cannot be moved on this page. Please phone us.");
}

export async function cancelBooking(by: Visitor, input: z.output<typeof cancelBookingSchema>): Promise<null> {
  if (await cancelPair(by, input)) return null;
  const { ip, log } = by;
  const { id, formToken, website } = input;
  const visit = await requireVisit(id);
  await countTry(ip, "cancel", tokenHashOf(visit.meeting));
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
