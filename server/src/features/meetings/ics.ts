// iCalendar (RFC 5545) and invitations (RFC 5546).
import ICAL from "ical.js";
import { PRODUCT_NAME } from "@app/shared/product";
import { now } from "../../core/clock.ts";

export interface IcsEvent {
  uid: string;
  sequence: number;
  title: string;
  startsAt: Date;
  endsAt: Date;
  location: string;
  isTentative?: boolean;
}

export interface Person {
  name: string;
  email: string;
}

/** What a calendar program is to do with it (RFC 5546, 1.4). */
export type ItipMethod = "REQUEST" | "CANCEL";

interface Invitation {
  method: ItipMethod;
  organiser: Person;
  /** The only attendee that the invitation names. */
  attendee: Person;
}

const utc = (instant: Date) => ICAL.Time.fromJSDate(instant, true);

function calendar(): ICAL.Component {
  const component = new ICAL.Component("vcalendar");
  component.addPropertyWithValue("prodid", `-//${PRODUCT_NAME}//EN`);
  component.addPropertyWithValue("version", "2.0");
  return component;
}

function eventOf({ uid, sequence, title, startsAt, endsAt, location, isTentative }: IcsEvent): ICAL.Component {
  const event = new ICAL.Component("vevent");
  event.addPropertyWithValue("uid", uid);
  event.addPropertyWithValue("dtstamp", utc(now()));
  event.addPropertyWithValue("dtstart", utc(startsAt));
  event.addPropertyWithValue("dtend", utc(endsAt));
  event.addPropertyWithValue("sequence", sequence);
  event.addPropertyWithValue("summary", title);
  if (location) event.addPropertyWithValue("location", location);
  event.addPropertyWithValue("status", isTentative ? "TENTATIVE" : "CONFIRMED");
  return event;
}

/** An invitation or its cancellation for one person alone. */
export function invitationIcs(event: IcsEvent, { method, organiser, attendee }: Invitation): string {
  const component = calendar();
  component.addPropertyWithValue("method", method);
  const vevent = eventOf(event);
  if (method === "CANCEL") vevent.updatePropertyWithValue("status", "CANCELLED");
  const from = vevent.addPropertyWithValue("organizer", `mailto:${organiser.email}`);
  from.setParameter("cn", organiser.name);
  const to = vevent.addPropertyWithValue("attendee", `mailto:${attendee.email}`);
  to.setParameter("cn", attendee.name);
  to.setParameter("role", "REQ-PARTICIPANT");
  to.setParameter("partstat", "NEEDS-ACTION");
  to.setParameter("rsvp", "TRUE");
  component.addSubcomponent(vevent);
  return component.toString();
}

/** A calendar to subscribe to; no method, so that nobody is invited by it. */
export function feedIcs(name: string, events: IcsEvent[]): string {
  const component = calendar();
  component.addPropertyWithValue("x-wr-calname", name);
  component.addPropertyWithValue("x-published-ttl", "PT1H");
  const refresh = component.addPropertyWithValue("refresh-interval", ICAL.Duration.fromString("PT1H"));
  refresh.setParameter("value", "DURATION");
  for (const event of events) component.addSubcomponent(eventOf(event));
  return component.toString();
}
