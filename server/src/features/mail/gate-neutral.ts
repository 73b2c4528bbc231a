// A mail to somebody whose contact is restricted: nothing on its outside names the practice or says what it is about.
import { z } from "zod";
import { defineForeign } from "../../core/foreign.ts";
import { neutralCalendar } from "./neutral-calendar.ts";
import type { work } from "./neutral-calendar.foreign.ts";
import { type Tells, tellsOf } from "./telling-words.ts";
import type { OutgoingAttachment, OutgoingMail } from "./senders/sender.ts";

const TAGS = /<[^<>]*>/g;
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

const LIMIT_MS = 3000;

/** Says of an attached calendar only that it stays where it is. */
class UnreadableCalendar extends Error {}

const neutralCalendarsOf = defineForeign<typeof work>({
  file: new URL("./neutral-calendar.foreign.ts", import.meta.url),
  output: z.array(z.string()),
  limitMs: LIMIT_MS,
  refuse: (_why, reason) => new UnreadableCalendar(reason),
});

/** Null where it holds a calendar that cannot be read, and so not be made neutral either. */
export async function neutralMail(ownerId: string, mail: OutgoingMail, neutral: Neutral): Promise<OutgoingMail | null> {
  const attached = await attachedCalendars(ownerId, mail, neutral);
  if (!attached) return null;
  const tells = tellsOf(neutral.practiceName);
  return {
    ...mail,
    // Replaced, whatever it says: no list of words knows every way to name a practice.
    fromName: neutral.senderName,
    subject: neutral.hasNeutralSubject && !tells(mail.subject) ? mail.subject : `A message from ${neutral.senderName}`,
    body: mail.isHtml ? neutralLinks(mail.body, tells) : mail.body,
    attachments: mail.attachments.map((attachment, index) => ({
      ...attachment,
      name:
        tells(attachment.name) || OTHER_LETTER.test(attachment.name)
          ? `attachment-${index + 1}${endingOf(attachment.name)}`
          : attachment.name,
      content: attached.get(attachment) ?? attachment.content,
    })),
    // Written by the product itself.
    calendar: mail.calendar && { ...mail.calendar, content: neutralCalendar(mail.calendar.content, neutral) },
  };
}

async function attachedCalendars(
  ownerId: string,
  { attachments }: OutgoingMail,
  { practiceName, senderName }: Neutral,
) {
  const calendars = attachments.filter(isCalendar);
  if (calendars.length === 0) return new Map<OutgoingAttachment, Buffer>();
  try {
    const texts = calendars.map(({ content }) => content.toString());
    const neutral = await neutralCalendarsOf(ownerId, { calendars: texts, practiceName, senderName });
    return new Map(calendars.map((calendar, index) => [calendar, Buffer.from(neutral[index] ?? "")]));
  } catch (error) {
    if (error instanceof UnreadableCalendar) return null;
    throw error;
  }
}

/** The texts of links, one after another: a search for pairs of tags takes the square of a body without ends of links. */
function neutralLinks(body: string, tells: Tells): string {
  const pieces = body.split(/(<\/a\s*>)/i);
  // Before each end of a link there is what led up to it; behind the last one there is no link.
  return pieces
    .map((piece, index) => {
      const start = index % 2 === 0 && index < pieces.length - 1 ? piece.search(/<a\b/i) : -1;
      const end = start < 0 ? -1 : piece.indexOf(">", start) + 1;
      return end > 0 ? piece.slice(0, end) + neutralText(piece.slice(end), tells) : piece;
    })
    .join("");
}

const neutralText = (text: string, tells: Tells): string =>
  ENTITY.test(text) || OTHER_LETTER.test(text) || tells(text.replace(TAGS, "")) ? "Open the link" : text;

const endingOf = (name: string): string => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? "";

const isCalendar = ({ name, mime, content }: OutgoingAttachment): boolean =>
  /calendar|\bics\b/i.test(mime) ||
  /\.(ics|ical|ifb|vcs)$/i.test(name) ||
  /^\s*BEGIN:VCALENDAR/i.test(content.toString("latin1", 0, 200));
