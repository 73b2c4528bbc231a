import { emailPayloadSchema, type SendDetails, type SendResult } from "@app/shared/mail-payload";
import { apart } from "../../core/apart.ts";
import { SECOND_MS } from "../../core/clock.ts";
import { isDatabaseFailure } from "../../core/database.ts";
import { isEnding, writtenBeforeTheEnd } from "../../core/ending.ts";
import { isBusy } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { standsFor } from "../users/users.service.ts";
import { endPause, pauseCarrier } from "../mail/carrier-pauses.service.ts";
import { canSend, keepsMessageId, type Sent, sendMail, wasSentByMailbox } from "../mail/mail.service.ts";
import { type Carrier, carrierOf } from "../mail/mail-from.service.ts";
import type { Answered } from "../mail/outgoing-gate.service.ts";
import type { SendMail } from "../mail/outgoing.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";
import { filesOf } from "./outbox-files.ts";
import { inLane, LANES, type Shown } from "./outbox-lanes.ts";
import {
  keepContent,
  keepWaiting,
  MAY_HAVE_LEFT,
  noteFailure,
  noteSent,
  noteSuperseded,
  noteTaken,
  noteUnfit,
  putOff,
  waitAgain,
} from "./outbox-outcomes.ts";
import { whyNotByWriter } from "./outbox-rights.ts";
import { type Taken, takeInTurn } from "./outbox-taking.ts";
import { forgetLook } from "./outbox-waiting.ts";
import { contentOf, type MailContent } from "./outbox.service.ts";
import type { CalendarPart, OnTaken, OutgoingAttachment } from "../mail/senders/sender.service.ts";

// The fallback service takes one mail in a second.
const PATIENCE_MS = 30 * SECOND_MS;
const ROUND_MS = 15 * SECOND_MS;
const UNFIT = "It could not be worked on here. Write it again, and tell whoever runs this installation.";

/** A mail as it may leave now, as far as what it says and carries goes. */
export interface Leaving {
  content: MailContent;
  /** What it answers, for the gate. */
  answers: readonly Answered[];
}

/**
 * Why a mail does not leave now: something newer says it, or it is not true any more and its writer has to know, or
 * nobody can tell for the moment, or an older one goes first.
 */
export type Staying = { stays: "superseded" | "failed" | "unknown"; reason: string } | { stays: "behind" };

/** The round of delivery that a process is in, with what it cannot know here. */
export interface Delivering {
  log: Logger;
  /** Judges what a mail says and carries by things as they are now. */
  leavingNow: (mail: OutboxDoc, content: MailContent) => Promise<Leaving | Staying>;
}

/**
 * Delivers what is due; several processes share the work, and no mail is taken by two. What takes long goes on after
 * it, so that the next round is not held up.
 */
export async function deliverDue(by: Delivering): Promise<void> {
  forgetLook();
  await Promise.all(Array.from({ length: LANES }, () => deliverSome(by)));
}

async function deliverSome(by: Delivering): Promise<void> {
  const until = performance.now() + ROUND_MS;
  while (!isEnding() && performance.now() < until) {
    const taken = await takeInTurn();
    if (!taken) return;
    await inLane(taken.lane, () => writtenBeforeTheEnd(deliver(taken, by)), by.log);
  }
}

/** Gives what it showed of its carrier. */
async function deliver(taken: Taken, by: Delivering): Promise<Shown> {
  const { log } = by;
  const { mail, wasLeft } = taken;
  let result: Sent | null = null;
  const work = async () => {
    const carrier = await carrierOf({ userId: mail.createdBy, ownerId: mail.ownerId });
    const became = await resultOf(taken, carrier, by);
    if (!became) return putOff(mail);
    if ("stays" in became)
      return became.stays === "behind" ? keepWaiting(mail) : noteSuperseded(mail, became.reason, log);
    result = became;
    if (became.details?.isUnanswered) await pauseCarrier(carrier);
    await (became.success ? noteSent(mail, became, log) : noteFailure(mail, became, { carrier, log }));
    if (shownBy(became) === "took it") await endPause(carrier);
  };
  const mayHaveLeft = () => wasLeft || result?.success === true || result?.details?.isUncertain === true;
  const setAside = () => noteUnfit(mail, { said: result?.error ?? UNFIT, mayHaveLeft: mayHaveLeft() }, log);
  try {
    const place = `case mail:${mail._id}`;
    await apart(work, { item: { mailId: mail._id }, place, log, setAside, putBack: () => waitAgain(mail) });
    return shownBy(result);
  } finally {
    taken.hold.release();
  }
}

function shownBy(result: SendResult | null): Shown {
  if (result?.details?.isUnanswered) return "no answer";
  if (result?.details?.isTemporary) return "failed for now";
  // Another way than its own may have taken it.
  return result?.success && !result.fallbackUsed ? "took it" : "nothing";
}

/**
 * What becomes of it; null where there is no way by which it could leave. One whose process died is judged like every
 * other, unless it is known or found to have left.
 */
async function resultOf(
  { mail, hold: mine, wasLeft }: Taken,
  carrier: Carrier,
  { log, leavingNow }: Delivering,
): Promise<Sent | Exclude<Staying, { stays: "failed" | "unknown" }> | null> {
  if (mail.taken) return { ...SENT_BY_MAILBOX, details: { warnings: mail.taken.warnings } };
  const hasWay = await canSend(carrier);
  const found = wasLeft && hasWay ? await foundOut(carrier, mail) : null;
  if (found) return found;
  const whyNot = await whyNotByWriter(mail, log);
  if (whyNot) return { ...FAILED, error: wasLeft ? `${whyNot} ${MAY_HAVE_LEFT}` : whyNot };
  // A notice that nobody needs any more does not wait for a way.
  if (!hasWay && mail.purpose === "letter") return null;
  const leaving = await judged(mail, leavingNow);
  if (!("content" in leaving)) return leaving;
  if (!mine.isHeld()) throw new Error("another process may send this mail by now");
  return hasWay ? hand(carrier, mail, leaving) : null;
}

/** What became of a mail whose process died; null where it is to be sent again, under the same Message-ID. */
async function foundOut(carrier: Carrier, { messageId }: OutboxDoc): Promise<SendResult | null> {
  const found = await wasSentByMailbox(carrier, messageId);
  if (found === "yes") return SENT_BY_MAILBOX;
  if (found === "no" && (await keepsMessageId(carrier))) return null;
  return {
    ...FAILED,
    error: "It is not certain whether this mail was sent. Ask, or send it again.",
    details: { isUncertain: true },
  };
}

const SENT_BY_MAILBOX: SendResult = { success: true, method: "IMAP", fallbackUsed: false };
const FAILED: SendResult = { success: false, method: "fallback", fallbackUsed: false };

/** With what keeps it for good, or for now, as the result of this try. */
async function judged(mail: OutboxDoc, leavingNow: Delivering["leavingNow"]) {
  const written = contentOf(mail);
  const found = await leavingNow(mail, written);
  if ("content" in found) {
    if (found.content !== written) await keepContent(mail, found.content);
    return found;
  }
  if (found.stays === "behind" || found.stays === "superseded") return found;
  return { ...FAILED, error: found.reason, details: { isTemporary: found.stays === "unknown" } };
}

function hand({ userId, isFallbackForced }: Carrier, mail: OutboxDoc, { content, answers }: Leaving): Promise<Sent> {
  const onTaken = (details: SendDetails) => noteTaken(mail, details);
  return trySending(onTaken, async () => {
    const senderName = await standsFor(mail.ownerId, mail.createdBy);
    const { calendar, files } = partsOf(content);
    const carried = await filesOf(mail, content);
    return {
      userId,
      isFallbackForced,
      payload: emailPayloadSchema.parse({
        to_email: [content.to, ...content.alsoTo].join(","),
        to_name: content.toName,
        cc: content.cc.join(","),
        subject: content.subject,
        message: content.html ?? content.text,
        isHtml: content.html !== null,
      }),
      messageId: mail.messageId,
      about: {
        ...aboutOf(mail, content),
        answers,
        keptFiles: carried.keptFiles,
        ...(senderName ? { senderName } : {}),
      },
      headers: threadOf(content),
      ...(content.fromName ? { fromName: content.fromName } : {}),
      calendar,
      files: [...files, ...carried.files],
    };
  });
}

/** What the gate has to know: whose letter it is, and whose addresses these were when it was written. */
function aboutOf({ clientId, caseId, partyId, purpose }: OutboxDoc, { expected, saysNothingTo }: MailContent) {
  const party = caseId && partyId ? { caseId, partyId } : null;
  const isLetter = purpose === "letter";
  return { clientId, party, expected, hasNeutralSubject: !isLetter, ...(isLetter ? { saysNothingTo } : {}) };
}

/** What makes a mail program put an answer below what it answers. */
const threadOf = ({ inReplyTo, references }: MailContent): Record<string, string> => ({
  ...(inReplyTo ? { "In-Reply-To": inReplyTo } : {}),
  ...(references.length > 0 ? { References: references.join(" ") } : {}),
});

/** What cannot be sent as it is, and never will be, is a result too. */
async function trySending(onTaken: OnTaken, make: () => Promise<SendMail>): Promise<Sent> {
  try {
    return await sendMail(await make(), { patienceMs: PATIENCE_MS, onTaken });
  } catch (error) {
    if (isDatabaseFailure(error) || isBusy(error)) throw error;
    return { ...FAILED, error: error instanceof Error ? error.message : String(error) };
  }
}

/** As the calendar itself says it (RFC 5546, 3.2): whatever else names it is made from this. */
const methodOf = (calendar: string): CalendarPart["method"] =>
  /^METHOD:CANCEL\s*$/m.test(calendar) ? "CANCEL" : "REQUEST";

/** A calendar entry is a part of its own, so that mail programs let people answer it. */
function partsOf({ attachments }: MailContent): { calendar: CalendarPart | null; files: OutgoingAttachment[] } {
  const invitation = attachments.find(({ mime }) => mime.startsWith("text/calendar"));
  const files = attachments
    .filter((one) => one !== invitation)
    .map(({ name, mime, content, isBase64 }) => ({
      name,
      mime,
      content: Buffer.from(content, isBase64 ? "base64" : "utf8"),
    }));
  if (!invitation) return { calendar: null, files };
  return { calendar: { method: methodOf(invitation.content), content: invitation.content }, files };
}
