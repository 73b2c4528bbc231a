// A mail to somebody whose contact is restricted: nothing on its outside names the practice or says what it is about.
import ICAL from "ical.js";
import { PRODUCT_NAME } from "@app/shared/product";
import { foldText } from "@app/shared/text";
import type { OutgoingMail } from "./senders/sender.ts";

const TELLING = /mediat|\bmiams?\b/;
const NAME_WORD_MIN = 4;
const LINK = /(<a\b[^>]*>)([^]*?)(<\/a\s*>)/gi;
const TAGS = /<[^>]*>/g;

export interface Neutral {
  practiceName: string;
  /** Who is named in the practice's place: a person. */
  senderName: string;
  /** The subject says nothing already, such as “Your appointment”. */
  hasNeutralSubject: boolean;
}

/** Null where it holds a calendar that cannot be read, and so not be made neutral either. */
export function neutralMail(mail: OutgoingMail, neutral: Neutral): OutgoingMail | null {
  const tells = tellsOf(neutral.practiceName);
  const calendars = [mail.calendar, ...mail.attachments.filter(isCalendar)].filter((one) => one !== null);
  const isReadable = calendars.every(({ content }) => calendarOf(content.toString()) !== null);
  if (!isReadable) return null;
  return {
    ...mail,
    fromName: tells(mail.fromName) ? neutral.senderName : mail.fromName,
    subject: neutral.hasNeutralSubject && !tells(mail.subject) ? mail.subject : `A message from ${neutral.senderName}`,
    body: mail.isHtml ? mail.body.replace(LINK, neutralLink(tells)) : mail.body,
    attachments: mail.attachments.map((attachment, index) => ({
      ...attachment,
      name: tells(attachment.name) ? `attachment-${index + 1}${endingOf(attachment.name)}` : attachment.name,
      content: isCalendar(attachment)
        ? Buffer.from(neutralCalendar(attachment.content.toString(), tells, neutral.senderName))
        : attachment.content,
    })),
    calendar: mail.calendar && {
      ...mail.calendar,
      content: neutralCalendar(mail.calendar.content, tells, neutral.senderName),
    },
  };
}

type Tells = (text: string) => boolean;

/** Whether a text names the practice, or what it does. */
function tellsOf(practiceName: string): Tells {
  const names = [practiceName, PRODUCT_NAME].flatMap((name) => foldText(name).split(/[^\p{L}\p{N}]+/u));
  const words = new Set(names.filter((word) => word.length >= NAME_WORD_MIN));
  return (text) => {
    const folded = foldText(text);
    return TELLING.test(folded) || [...words].some((word) => folded.includes(word));
  };
}

const neutralLink = (tells: Tells) => (whole: string, start: string, text: string, end: string) =>
  tells(text.replace(TAGS, "")) ? `${start}Open the link${end}` : whole;

const endingOf = (name: string): string => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? "";

const isCalendar = ({ name, mime }: { name: string; mime: string }): boolean =>
  /^text\/calendar\b/i.test(mime) || /\.ics$/i.test(name);

function calendarOf(content: string): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(content));
  } catch {
    return null;
  }
}

/** Titles and names are replaced, everything else that tells goes; times and what programs go by stay. */
function neutralCalendar(content: string, tells: Tells, senderName: string): string {
  const calendar = calendarOf(content);
  if (!calendar) throw new Error("a calendar that cannot be read was not refused");
  neutralise(calendar, tells, senderName);
  return calendar.toString();
}

const KEPT = new Set(["version", "method", "uid", "attendee"]);
const PROGRAM = "-//Calendar//EN";

function neutralise(component: ICAL.Component, tells: Tells, senderName: string): void {
  for (const property of component.getAllProperties().toReversed()) {
    if (property.name === "organizer") property.setParameter("cn", senderName);
    else if (property.name === "prodid") property.setValue(PROGRAM);
    else if (property.name === "summary") {
      if (tells(String(property.getFirstValue()))) property.setValue("Appointment");
    } else if (!KEPT.has(property.name) && tells(property.toICALString())) component.removeProperty(property);
  }
  for (const inner of component.getAllSubcomponents()) neutralise(inner, tells, senderName);
}
