import ICAL from "ical.js";
import { type Tells, tellsOf } from "./telling-words.ts";

interface Names {
  practiceName: string;
  /** Who is named in the practice's place. */
  senderName: string;
}

/**
 * Titles and names are replaced, everything else that tells goes; times and what programs go by stay. Throws where it is
 * no calendar.
 */
export function neutralCalendar(content: string, { practiceName, senderName }: Names): string {
  const calendar = new ICAL.Component(ICAL.parse(content));
  neutralise(calendar, tellsOf(practiceName), senderName);
  return calendar.toString();
}

const KEPT = new Set(["version", "method", "uid", "attendee"]);
const PROGRAM = "-//Calendar//EN";

function neutralise(component: ICAL.Component, tells: Tells, senderName: string): void {
  for (const property of component.getAllProperties().toReversed()) {
    if (property.name === "organizer") property.setParameter("cn", senderName);
    else if (property.name === "prodid") property.setValue(PROGRAM);
    else if (property.name === "summary") property.setValue("Appointment");
    else if (!KEPT.has(property.name) && tells(property.toICALString())) component.removeProperty(property);
  }
  for (const inner of component.getAllSubcomponents()) neutralise(inner, tells, senderName);
}
