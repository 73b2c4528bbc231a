// A mail to somebody whose contact is restricted: nothing on its outside names the practice or says what it is about.
import ICAL from "ical.js";
import { PRODUCT_NAME } from "@app/shared/product";
import { foldText } from "@app/shared/text";
import type { OutgoingAttachment, OutgoingMail } from "./senders/sender.ts";

const TELLING = /mediat|\bmiams?\b/;
const LONG_WORD = 4;
const LINK = /(<a\b[^>]*>)([^]*?)(<\/a\s*>)/gi;
const TAGS = /<[^>]*>/g;
const ENTITY = /&[#a-z0-9]+;/i;
/** Letters of other scripts, which may look like what they are not. */
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;

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
    // Replaced, whatever it says: no list of words knows every way to name a practice.
    fromName: neutral.senderName,
    subject: neutral.hasNeutralSubject && !tells(mail.subject) ? mail.subject : `A message from ${neutral.senderName}`,
    body: mail.isHtml ? mail.body.replace(LINK, neutralLink(tells)) : mail.body,
    attachments: mail.attachments.map((attachment, index) => ({
      ...attachment,
      name:
        tells(attachment.name) || OTHER_LETTER.test(attachment.name)
          ? `attachment-${index + 1}${endingOf(attachment.name)}`
          : attachment.name,
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
  const names = [practiceName, PRODUCT_NAME].map(foldText).filter(Boolean);
  const words = new Set(names.flatMap(wordsOf));
  const long = [...words].filter((word) => word.length >= LONG_WORD);
  return (text) => {
    const folded = foldText(text.normalize("NFKC"));
    const here = new Set(wordsOf(folded));
    if (TELLING.test(folded) || names.some((name) => folded.includes(name))) return true;
    return long.some((word) => folded.includes(word)) || [...words].every((word) => here.has(word));
  };
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const neutralLink = (tells: Tells) => (whole: string, start: string, text: string, end: string) =>
  ENTITY.test(text) || OTHER_LETTER.test(text) || tells(text.replace(TAGS, "")) ? `${start}Open the link${end}` : whole;

const endingOf = (name: string): string => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? "";

const isCalendar = ({ name, mime, content }: OutgoingAttachment): boolean =>
  /calendar|\bics\b/i.test(mime) ||
  /\.(ics|ical|ifb|vcs)$/i.test(name) ||
  /^\s*BEGIN:VCALENDAR/i.test(content.toString("latin1", 0, 200));

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
    else if (property.name === "summary") property.setValue("Appointment");
    else if (!KEPT.has(property.name) && tells(property.toICALString())) component.removeProperty(property);
  }
  for (const inner of component.getAllSubcomponents()) neutralise(inner, tells, senderName);
}
