// A mail to somebody whose contact is restricted. It is made anew of what is known to tell nothing, so that nothing on
// its outside names the practice or says what it is about.
import { z } from "zod";
import type { Asker } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { publicUrl } from "../../core/settings.ts";
import { mimeOf } from "./attachments.service.ts";
import { holdsCalendar, neutralCalendar } from "./neutral-calendar.ts";
import type { work as calendarWork } from "./neutral-calendar.foreign.ts";
import { type NeutralLayout, neutralLayout, neutralLayoutSchema } from "./neutral-layout.service.ts";
import type { work as layoutWork } from "./neutral-layout.foreign.ts";
import type { OutgoingAttachment, OutgoingMail } from "./senders/sender.service.ts";
import { standInOf } from "./stand-in.service.ts";
import { tellsOf } from "./telling-words.ts";

export interface Neutral {
  practiceName: string;
  /** Who is named in the practice's place, unless that tells: a person. */
  senderName: string;
  /** The subject says nothing already, such as “Your appointment”. */
  hasNeutralSubject: boolean;
}

const LIMIT_MS = 3000;
/** Most letters are shorter; what is longer may be nested deep. */
const LAYOUT_HERE_MAX_LENGTH = 5000;

/** Says of an attached calendar only that it stays where it is. */
class UnreadableCalendar extends Error {}

/** The same of a layout that is too deep or too large. */
class UnreadableLayout extends Error {}

const neutralCalendarsOf = defineForeign<typeof calendarWork>({
  file: new URL("./neutral-calendar.foreign.ts", import.meta.url),
  output: z.array(z.string().nullable()),
  limitMs: LIMIT_MS,
  refuse: (_why, reason) => new UnreadableCalendar(reason),
});

const neutralLayoutOf = defineForeign<typeof layoutWork>({
  file: new URL("./neutral-layout.foreign.ts", import.meta.url),
  output: neutralLayoutSchema,
  limitMs: LIMIT_MS,
  refuse: (_why, reason) => new UnreadableLayout(reason),
});

/** Says what of it cannot be read, and so not be made neutral either. */
export async function neutralMail(
  asker: Asker,
  mail: OutgoingMail,
  neutral: Neutral,
): Promise<OutgoingMail | "calendar" | "layout"> {
  const { hasNeutralSubject, practiceName } = neutral;
  const standIn = standInOf(practiceName, neutral.senderName);
  const made = { senderName: standIn.name, addresses: [...mail.to, ...mail.cc] };
  const attached = await attachedCalendars(asker, mail, made);
  // Written by the product itself.
  const entry = mail.calendar && neutralCalendar(mail.calendar.content, { ...made, keepsUid: true });
  if (!attached || (mail.calendar && entry === null)) return "calendar";
  const saysNothing = hasNeutralSubject && !tellsOf(practiceName)(mail.subject);
  const layout = mail.isHtml ? await layoutOf(asker, mail.body) : null;
  if (layout === "too much") return "layout";
  return {
    // Replaced, whatever it says: no list of words knows every way to name a practice.
    fromName: standIn.name,
    to: mail.to,
    toName: "",
    cc: mail.cc,
    subject: saysNothing ? mail.subject : standIn.subject,
    body: layout ? layout.html : mail.body,
    isHtml: mail.isHtml,
    ...(layout ? { text: layout.text } : {}),
    attachments: mail.attachments.map((attachment, index) => {
      const calendar = attached.get(attachment);
      return neutralFile(index, calendar ? ".ics" : endingOf(attachment.name), calendar ?? attachment.content);
    }),
    messageId: mail.messageId,
    headers: neutralHeaders(mail.headers),
    calendar: mail.calendar && entry ? { method: mail.calendar.method, content: entry } : null,
  };
}

/** How it stands in a thread, that a program made it, and a link to end mailings that is this installation's own. */
function neutralHeaders(headers: OutgoingMail["headers"]): OutgoingMail["headers"] {
  const isOwnLink = headers["List-Unsubscribe"]?.startsWith(`<${publicUrl()}/`) === true;
  const kept = new Set([...NEUTRAL_HEADERS, ...(isOwnLink ? UNSUBSCRIBING : [])]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.has(name)));
}

const NEUTRAL_HEADERS = ["In-Reply-To", "References", "Auto-Submitted"];
const UNSUBSCRIBING = ["List-Unsubscribe", "List-Unsubscribe-Post"];

async function layoutOf(asker: Asker, html: string): Promise<NeutralLayout | "too much"> {
  if (html.length <= LAYOUT_HERE_MAX_LENGTH) return neutralLayout(html);
  try {
    return await neutralLayoutOf(asker, html);
  } catch (error) {
    if (error instanceof UnreadableLayout) return "too much";
    throw error;
  }
}

async function attachedCalendars(
  asker: Asker,
  { attachments }: OutgoingMail,
  made: { senderName: string; addresses: string[] },
): Promise<Map<OutgoingAttachment, Buffer> | null> {
  const files = attachments.filter((file) => isCalled(file) || holdsCalendar(file.content));
  if (files.length === 0) return new Map();
  try {
    // Copies, because a part of a larger piece of memory would be sent to the worker with all of it.
    const calendars = files.map(({ content }) => new Uint8Array(content));
    const neutral = await neutralCalendarsOf(asker, { calendars, ...made });
    if (neutral.includes(null)) return null;
    return new Map(files.map((file, index) => [file, Buffer.from(neutral[index] ?? "")]));
  } catch (error) {
    if (error instanceof UnreadableCalendar) return null;
    throw error;
  }
}

/** A file keeps what says how to open it: of its name the ending, where it is one that many files have. */
const neutralFile = (index: number, ending: string, content: Buffer): OutgoingAttachment => {
  const name = `attachment-${index + 1}${ending}`;
  return { name, mime: mimeOf(name), content };
};

const ENDING =
  /\.(avif|bmp|csv|docx?|gif|gz|heic|html?|ics|jpe?g|json|key|md|mov|mp3|mp4|m4a|numbers|od[pst]|pages|pdf|png|pptx?|rtf|svg|tiff?|txt|wav|webp|xlsx?|xml|zip)$/i;
const endingOf = (name: string): string => ENDING.exec(name)?.[0].toLowerCase() ?? "";

const isCalled = ({ name, mime }: OutgoingAttachment): boolean =>
  /calendar|\bics\b/i.test(mime) || /\.(ics|ical|ifb|vcs)$/i.test(name);
