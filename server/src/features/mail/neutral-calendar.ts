// A calendar made anew of what is known to tell nothing: whatever else came in it is left out. Pure.
import { createHash } from "node:crypto";
import ICAL from "ical.js";
import { canonicalEmail, samePerson } from "@app/shared/email-address";

export interface CalendarFor {
  /** Named as whoever invites; empty for nobody. */
  senderName: string;
  /** Everybody who gets it; of others it says nothing. */
  addresses: readonly string[];
  /** The product made it: answers find their appointment by this id, which is a random one. */
  keepsUid: boolean;
}

const MAX_BYTES = 1024 * 1024;
const LOOKED_AT_BYTES = 64 * 1024;
const FOLD = /\r?\n[ \t]/g;

/** Whether bytes are a calendar, whatever they are called, in whatever encoding. */
export const holdsCalendar = (content: Buffer): boolean =>
  /^[^\S\r\n\u2028\u2029]*BEGIN:VCALENDAR/im.test(
    content
      .toString("latin1", 0, LOOKED_AT_BYTES)
      .replaceAll("\0", "")
      .replace(/^[\u0080-\u00FF]+/, "")
      .replace(FOLD, ""),
  );

/** The same appointments without a word that could tell what they are. Null where it cannot be read. */
export function neutralCalendar(content: string | Buffer, made: CalendarFor): string | null {
  if (content.length > MAX_BYTES) return null;
  try {
    const calendars = calendarsIn(typeof content === "string" ? content : textOf(content));
    return calendars.map((calendar) => remade(calendar, made).toString()).join("\r\n");
  } catch {
    // Whatever its parser stumbles over, and whatever it says of that.
    return null;
  }
}

/** By its byte order mark; UTF-8 without one. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isWide ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8", { fatal: true }).decode(bytes);
}

class Unreadable extends Error {}

/** A file may hold several; for one alone the parser gives no list. */
function calendarsIn(text: string): ICAL.Component[] {
  const parsed: unknown[] = ICAL.parse(text);
  const found = (typeof parsed[0] === "string" ? [parsed] : parsed).filter((one) => Array.isArray(one));
  if (found.length === 0 || found.some(([name]) => name !== "vcalendar")) throw new Unreadable();
  return found.map((one) => new ICAL.Component(one));
}

const METHODS = ["PUBLISH", "REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER"];

function remade(calendar: ICAL.Component, made: CalendarFor): ICAL.Component {
  const neutral = new ICAL.Component("vcalendar");
  neutral.addPropertyWithValue("prodid", "-//Calendar//EN");
  neutral.addPropertyWithValue("version", "2.0");
  const method = String(calendar.getFirstPropertyValue("method") ?? "").toUpperCase();
  if (METHODS.includes(method)) neutral.addPropertyWithValue("method", method);
  const zones = calendar.getAllSubcomponents("vtimezone");
  const zoneName = namesFor(zones);
  for (const zone of zones) neutral.addSubcomponent(remadeZone(zone, zoneName));
  const events = calendar.getAllSubcomponents("vevent");
  if (events.length === 0) throw new Unreadable();
  for (const event of events) neutral.addSubcomponent(remadeEvent(event, made, zoneName));
  return neutral;
}

type ZoneName = (name: string) => string;

/** Zones by the names that everybody uses; any other that the file explains gets a number. */
function namesFor(zones: ICAL.Component[]): ZoneName {
  const explained = zones.map((zone) => String(zone.getFirstPropertyValue("tzid")));
  return (name) => {
    if (isZone(name)) return name;
    if (explained.includes(name)) return `Zone-${explained.indexOf(name) + 1}`;
    throw new Unreadable();
  };
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function remadeZone(zone: ICAL.Component, zoneName: ZoneName): ICAL.Component {
  const neutral = new ICAL.Component("vtimezone");
  neutral.addPropertyWithValue("tzid", zoneName(String(zone.getFirstPropertyValue("tzid"))));
  for (const rule of zone.getAllSubcomponents()) {
    if (rule.name !== "standard" && rule.name !== "daylight") continue;
    const kept = new ICAL.Component(rule.name);
    for (const property of rule.getAllProperties()) {
      if (OFFSETS.has(property.name)) add(kept, property.name, checked(property, OFFSET));
      else addPlain(kept, property, zoneName);
    }
    neutral.addSubcomponent(kept);
  }
  return neutral;
}

/** The same calendar with this name for whoever invites, and this address where one is given. */
export function withOrganizer(
  content: string,
  { name, address }: { name: string; address: string | undefined },
): string {
  const calendars = calendarsIn(content);
  const parts = calendars.flatMap((calendar) => calendar.getAllSubcomponents());
  for (const organizer of parts.flatMap((part) => part.getAllProperties("organizer"))) {
    organizer.setParameter("cn", name);
    if (address !== undefined) organizer.setValue(`mailto:${address}`);
  }
  return calendars.join("\r\n");
}

function remadeEvent(event: ICAL.Component, made: CalendarFor, zoneName: ZoneName): ICAL.Component {
  const neutral = new ICAL.Component("vevent");
  if (!event.hasProperty("dtstart")) throw new Unreadable();
  for (const property of event.getAllProperties()) {
    if (property.name === "uid") add(neutral, "uid", uidOf(String(property.getFirstValue()), made));
    else if (property.name === "organizer") addOrganizer(neutral, property, made);
    else if (property.name === "attendee") addAttendee(neutral, property, made);
    else addPlain(neutral, property, zoneName);
  }
  neutral.addPropertyWithValue("summary", "Appointment");
  return neutral;
}

/** Of what the product made the carrier names its own address; in an attached one it would be the practice's. */
function addOrganizer(component: ICAL.Component, property: ICAL.Property, { senderName, keepsUid }: CalendarFor): void {
  if (keepsUid) addPerson(component, property, senderName ? { cn: senderName } : {});
}

/** The same for every calendar about one appointment, so that a later one changes the earlier. */
const uidOf = (uid: string, { keepsUid }: CalendarFor): string =>
  keepsUid ? uid : createHash("sha256").update(uid).digest("hex").slice(0, 32);

const add = (component: ICAL.Component, name: string, value: unknown): ICAL.Property =>
  component.addPropertyWithValue(name, value);

const DATES = new Set(["dtstart", "dtend", "dtstamp", "recurrence-id", "exdate", "rdate"]);
const DATE = /^\d{8}(T\d{6}Z?)?$/;
const OFFSETS = new Set(["tzoffsetfrom", "tzoffsetto"]);
const OFFSET = /^[-+]\d{2}:?\d{2}(:?\d{2})?$/;
const WORDS = new Map([
  ["status", ["TENTATIVE", "CONFIRMED", "CANCELLED"]],
  ["transp", ["OPAQUE", "TRANSPARENT"]],
]);
const PATTERNS = new Map([
  ["duration", /^[-+]?P[\dWDTHMS]+$/],
  ["sequence", /^\d{1,9}$/],
]);
const DAY = "(?:MO|TU|WE|TH|FR|SA|SU)";
const RULE = new RegExp(
  `^(?:FREQ=(?:SECOND|MINUTE|HOUR|WEEK|MONTH|YEAR)LY|FREQ=DAILY|UNTIL=\\d{8}(?:T\\d{6}Z?)?|(?:COUNT|INTERVAL)=\\d+|BY(?:SECOND|MINUTE|HOUR|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)=[-+\\d,]+|BYDAY=(?:[-+]?\\d*${DAY},?)+|WKST=${DAY})$`,
);

/** Times, and words out of a short list. */
function addPlain(component: ICAL.Component, property: ICAL.Property, zoneName: ZoneName): void {
  const { name } = property;
  const words = WORDS.get(name);
  const pattern = PATTERNS.get(name);
  if (DATES.has(name)) addDates(component, property, zoneName);
  else if (pattern) add(component, name, checked(property, pattern));
  else if (name === "rrule") add(component, name, checkedRule(property));
  else if (words) {
    const word = String(property.getFirstValue()).toUpperCase();
    if (words.includes(word)) add(component, name, word);
  }
}

function addDates(component: ICAL.Component, property: ICAL.Property, zoneName: ZoneName): void {
  const zone = property.getParameter("tzid");
  for (const value of property.getValues()) {
    if (!(value instanceof ICAL.Time) || !DATE.test(value.toICALString())) throw new Unreadable();
    const date = new ICAL.Property(property.name);
    date.resetType(value.isDate ? "date" : "date-time");
    date.setValue(value);
    if (zone !== undefined) date.setParameter("tzid", zoneName(String(zone)));
    component.addProperty(date);
  }
}

function checked(property: ICAL.Property, pattern: RegExp): unknown {
  const value: unknown = property.getFirstValue();
  if (!pattern.test(String(value))) throw new Unreadable();
  return value;
}

function checkedRule(property: ICAL.Property): unknown {
  const value: unknown = property.getFirstValue();
  if (
    !String(value)
      .split(";")
      .every((part) => RULE.test(part))
  )
    throw new Unreadable();
  return value;
}

const SAID_OF_ATTENDEES = new Map([
  ["role", ["CHAIR", "REQ-PARTICIPANT", "OPT-PARTICIPANT", "NON-PARTICIPANT"]],
  ["partstat", ["NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE", "DELEGATED"]],
  ["rsvp", ["TRUE", "FALSE"]],
]);

function addAttendee(component: ICAL.Component, property: ICAL.Property, { addresses }: CalendarFor): void {
  const address = addressOf(property);
  if (!addresses.some((one) => samePerson(one, address))) return;
  const said = [...SAID_OF_ATTENDEES].flatMap(([name, words]) => {
    const word = String(property.getParameter(name) ?? "").toUpperCase();
    return words.includes(word) ? [[name, word]] : [];
  });
  addPerson(component, property, Object.fromEntries(said));
}

const addressOf = (property: ICAL.Property): string =>
  canonicalEmail(String(property.getFirstValue()).replace(/^mailto:/i, "")) ?? "";

function addPerson(component: ICAL.Component, property: ICAL.Property, parameters: Record<string, string>): void {
  const address = addressOf(property);
  if (!address) return;
  const person = add(component, property.name, `mailto:${address}`);
  for (const [name, value] of Object.entries(parameters)) person.setParameter(name, value);
}
