// The one place that makes what a party's calendar program takes: an invitation, or that it is cancelled.
import type { NewMailContent } from "../outbox/outbox.service.ts";
import { invitationIcs, type ItipMethod, type Person } from "./ics.ts";
import { entryOf } from "./meeting-uids.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import type { PartyMeeting } from "./meetings.visibility.ts";

interface Addressed {
  meeting: MeetingDoc;
  method: ItipMethod;
  organiser: Person;
  attendee: Person & { partyId: string };
}

/** Each attendee has a calendar entry of their own: one name for all would show that there are others. */
export function calendarEntry(
  { title, startsAt, endsAt, location }: PartyMeeting,
  { meeting, method, organiser, attendee }: Addressed,
): NonNullable<NewMailContent["attachments"]>[number] {
  const { uid, sequence } = entryOf(meeting, attendee.partyId);
  const isTentative = meeting.status === "proposed";
  const event = {
    uid,
    sequence,
    title: [title, organiser.name].filter(Boolean).join(", "),
    startsAt,
    endsAt,
    location,
    isTentative,
  };
  const { name, email } = attendee;
  const content = invitationIcs(event, { method, organiser, attendee: { name, email } });
  return { name: "invite.ics", mime: "text/calendar; charset=utf-8", content };
}
