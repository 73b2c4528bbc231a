// What whoever mediates is told when somebody outside books, moves or cancels: in their own zone, and without saying who.
import type { Logger } from "../../core/logger.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import type { MeetingDoc } from "../meetings/visits.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";

interface Done {
  what: "asked" | "booked" | "moved" | "cancelled" | "lapsed";
  link: Pick<BookingLinkDoc, "name">;
  /** Where it was moved: from when. */
  before?: Date;
}

const SUBJECTS = {
  asked: "A request for a meeting",
  booked: "A meeting was booked",
  moved: "A meeting was moved",
  cancelled: "A meeting was cancelled",
  lapsed: "A meeting was not booked",
} as const;

const NEXT = {
  asked: "It waits for you: confirm it in your calendar, or cancel it there. Until then the time is kept.",
  booked: "It is in your calendar, with all that was entered.",
  moved: "Your calendar shows the new time.",
  cancelled: "The time is free again.",
  lapsed: "It was to be paid before it was booked, and was not paid in time. The time is free again.",
} as const;

export async function tellMediators(meeting: MeetingDoc, { what, link, before }: Done, log: Logger): Promise<void> {
  const { dateTime, zone } = await practiceDates(meeting.ownerId);
  const text = [
    `By your booking link “${link.name}”:`,
    "",
    `When: ${dateTime(meeting.startsAt)} (${zone(meeting.startsAt)})`,
    ...(before ? [`Before: ${dateTime(before)} (${zone(before)})`] : []),
    "",
    NEXT[what],
  ].join("\n");
  for (const userId of meeting.mediatorIds) {
    const user = await findIdentityUser(userId);
    if (user?.status !== "active") continue;
    const mail = { ownerId: meeting.ownerId, byMailboxOf: meeting.ownerId, to: user.email_address };
    await queueSystemMail({ ...mail, subject: SUBJECTS[what], text, hasLink: false }, log);
  }
}
