// What somebody booked, as the secret of whoever booked it opens it.
import type { Appointment } from "@app/shared/bookings";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { calendarOfVisit, findVisit, type MeetingDoc, shownOfVisit } from "../meetings/visits.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import type { Wanted } from "./booking-slots.service.ts";
import { colleagues } from "../users/users.service.ts";
import { deadLink, linkOfVisit, mediatorsOf } from "./open-links.service.ts";

const GONE_AFTER_MS = 30 * DAY_MS;
export interface Visit {
  meeting: MeetingDoc;
  link: BookingLinkDoc;
}

export const changeableUntil = ({ noticeHours }: BookingLinkDoc, startsAt: Date): number =>
  startsAt.getTime() - noticeHours * HOUR_MS;

/** Nobody moves or cancels by their link what others come to as well by now. */
export const isTheirsAlone = ({ partyIds }: MeetingDoc): boolean => partyIds.length < 2;

export const stateOf = ({ status, startsAt }: MeetingDoc): "coming" | "cancelled" | "over" => {
  if (status === "cancelled" || status === "expired") return "cancelled";
  return startsAt > now() ? "coming" : "over";
};

export async function toAppointment(meeting: MeetingDoc, { clientId }: BookingLinkDoc): Promise<Appointment> {
  const shown = await shownOfVisit(meeting, clientId);
  if (!shown) throw deadLink();
  return { ...shown, calendar: await calendarOfVisit(meeting) };
}

export async function requireVisit(token: string): Promise<Visit> {
  const meeting = await findVisit(token);
  const link = meeting?.booking ? await linkOfVisit(meeting.ownerId, meeting.booking.linkId) : null;
  if (!meeting || !link || now().getTime() - meeting.endsAt.getTime() > GONE_AFTER_MS) throw deadLink();
  return { meeting, link };
}

/**
 * For as long as it was booked for, whatever its link asks for by now, with those of its mediators who can be booked; where
 * none can, with others of its link.
 */
export async function wantedAnew({ meeting, link }: Visit): Promise<Wanted> {
  const { ownerId, startsAt, endsAt } = meeting;
  const working = await workingAmong(ownerId, meeting.mediatorIds);
  return {
    ownerId,
    minutes: (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS,
    mediatorIds: working.length > 0 ? working : (await mediatorsOf(link)).map(({ id }) => id),
    exceptIds: [meeting._id],
  };
}

const workingAmong = async (ownerId: string, ids: readonly string[]): Promise<string[]> =>
  (await colleagues(ownerId)).flatMap(({ userId, isActive }) => (isActive && ids.includes(userId) ? [userId] : []));
