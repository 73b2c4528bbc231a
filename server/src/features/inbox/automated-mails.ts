// What a mail program, not a person, says in a mail: an answer to an invitation, or that a mail came back. Pure.
import ICAL from "ical.js";
import { cutText } from "@app/shared/cut-text";
import { foldEmail, samePerson } from "@app/shared/email-address";
import { INVITATION_REPLIES } from "@app/shared/meeting-states";
import type { CalendarReply } from "../meetings/replies.service.ts";

const REASON_MAX_LENGTH = 300;

/** The answer in a calendar part; null where it is none, or not this sender's own. Throws where it cannot be read. */
export function replyIn(ics: string, sender: string): CalendarReply | null {
  const calendar = componentOf(ics);
  if (calendar?.getFirstPropertyValue("method")?.toString().toUpperCase() !== "REPLY") return null;
  const event = calendar.getFirstSubcomponent("vevent");
  const attendees = event?.getAllProperties("attendee") ?? [];
  const own = attendees.find((one) => samePerson(addressOf(String(one.getFirstValue())), sender));
  const status = String(own?.getFirstParameter("partstat") ?? "").toLowerCase();
  const reply = INVITATION_REPLIES.find((known) => known === status);
  const uid = event?.getFirstPropertyValue("uid");
  const sequence = Number(event?.getFirstPropertyValue("sequence") ?? 0);
  if (!reply || typeof uid !== "string") return null;
  if (!Number.isSafeInteger(sequence)) throw new Error("the answer does not say to which invitation (SEQUENCE)");
  return { uid, sequence, address: sender, reply };
}

function componentOf(ics: string): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(ics));
  } catch {
    // Anybody may send anything under this name.
    return null;
  }
}

const addressOf = (value: string): string => value.replace(/^mailto:/i, "");

export interface Bounce {
  address: string;
  reason: string;
  /** The mailbox will never take mail, rather than not now. */
  isLasting: boolean;
  /** There is no such mailbox: that is so whoever sent the mail that came back, and whatever was in it. */
  isOfMailbox: boolean;
}

// Of what else a server refuses, such as a sender or a content, another mail than ours may be the cause.
const NO_SUCH_MAILBOX = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];

/** The envelope identifier with which the mail was handed over (RFC 3464, 2.2.1); empty where the report names none. */
export const envelopeIdIn = (report: string): string =>
  /^original-envelope-id:[ \t]*(\S{1,200})[ \t]*$/im.exec(report)?.[1] ?? "";

/**
 * The refusals in a delivery report (RFC 3464); of one that was only put off there are none. Where mail was passed on, it
 * counts for the address that it was sent to as well (2.3.1), which is whatever whoever sent it wrote (RFC 3461, 4.2).
 */
export function bouncesIn(report: string): Bounce[] {
  const blocks = report
    .replace(/\r\n/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .split(/\n\s*\n/);
  return blocks.flatMap((block): Bounce[] => {
    const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(block)?.[1]?.trim() ?? "";
    const recipient = (name: string) => foldEmail(field(name).split(";").at(-1) ?? "");
    const final = recipient("Final-Recipient");
    const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(field("Status"))?.[0] ?? "";
    if (!final || field("Action").toLowerCase() !== "failed") return [];
    const said = field("Diagnostic-Code")
      .replace(/^smtp;\s*/i, "")
      .replace(/[\p{Cc}\s]+/gu, " ");
    const reason = cutText(`It could not be delivered to ${final}${said ? `: ${said}` : "."}`, REASON_MAX_LENGTH);
    const addresses = new Set([final, recipient("Original-Recipient")].filter(Boolean));
    return [...addresses].map((address) => ({
      address,
      reason,
      isLasting: status.startsWith("5"),
      isOfMailbox: address === final && NO_SUCH_MAILBOX.includes(status),
    }));
  });
}
