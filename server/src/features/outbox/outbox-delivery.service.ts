import mongoose, { type QueryFilter } from "mongoose";
import { cutText } from "@app/shared/cut-text";
import { emailPayloadSchema, type SendResult } from "@app/shared/mail-payload";
import { apart, PUT_BACK_MS } from "../../core/apart.ts";
import { MINUTE_MS, now, SECOND_MS } from "../../core/clock.ts";
import { inTransaction, isDatabaseFailure } from "../../core/database.ts";
import { isBusy } from "../../core/errors.ts";
import { abandonedAmong, hold, type Hold } from "../../core/holding.ts";
import type { Logger } from "../../core/logger.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { canSend, keepsMessageId, type Sent, sendMail, wasSentByMailbox } from "../mail/mail.service.ts";
import { mailboxFor } from "../mail/mail-from.service.ts";
import type { SendMail } from "../mail/outgoing.service.ts";
import { LATER_MAX_MS, type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { filesOf } from "./outbox-files.ts";
import { begin, inLane, LANES, waitingOwners } from "./outbox-lanes.ts";
import { tellSent, tellUncertain, tellWriter } from "./outbox-history.ts";
import { whyNotByWriter } from "./outbox-rights.ts";
import { contentOf, type MailContent } from "./outbox.service.ts";
import type { CalendarPart, OutgoingAttachment } from "../mail/senders/sender.service.ts";

const ATTEMPTS_MAX = 4;
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
const UNSENDABLE_PAUSE_MS = MINUTE_MS;
// The fallback service takes one mail in a second.
const PATIENCE_MS = 30 * SECOND_MS;
const ROUND_MS = 15 * SECOND_MS;
const NO_WAY = "Waiting: no mailbox is connected yet. Connect yours on the email settings page.";
const MAY_HAVE_LEFT = "It may have left before: ask whether it came.";
const UNFIT = "It could not be worked on here. Write it again, and tell whoever runs this installation.";
const REASON_MAX_LENGTH = 500;

/** The round of delivery that a process is in, with what it cannot know here. */
export interface Delivering {
  log: Logger;
  /** Throws an Error that says what to do where the calendar entry of a mail is not true any more. */
  assertEntryStands: (mail: OutboxDoc, content: MailContent) => Promise<void>;
}

/**
 * Delivers what is due; several processes share the work, and no mail is taken by two. What takes long goes on after
 * it, so that the next round is not held up.
 */
export async function deliverDue(by: Delivering): Promise<void> {
  await Promise.all(Array.from({ length: LANES }, () => deliverSome(by)));
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** One after the other, so that no two take mails of the same practice. */
function takeInTurn(): Promise<Taken | null> {
  const turn = lastTurn.then(takeNext);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function deliverSome(by: Delivering): Promise<void> {
  const until = performance.now() + ROUND_MS;
  while (performance.now() < until) {
    const taken = await takeInTurn();
    if (!taken) return;
    await inLane(taken.mail.ownerId, () => deliver(taken, by), by.log);
  }
}

interface Taken {
  mail: OutboxDoc;
  hold: Hold;
  /** A process died while it was sending it. */
  wasLeft: boolean;
}

async function takeNext(): Promise<Taken | null> {
  const waiting = waitingOwners();
  if (!waiting) return null;
  const ofOthers = { ownerId: mongoose.trusted({ $nin: waiting }) };
  const mine = await hold();
  const before = (await takeLeft(ofOthers, mine)) ?? (await takeOne({ ...ofOthers, ...queuedAndDue() }, mine));
  if (!before) {
    mine.release();
    return null;
  }
  begin(before.ownerId);
  const mail = { ...before, state: "sending" as const, heldBy: mine.by, attempts: before.attempts + 1 };
  return { mail, hold: mine, wasLeft: before.state === "sending" };
}

const queuedAndDue = () => ({ state: "queued" as const, dueAt: mongoose.trusted({ $lte: now() }) });

/** One whose process died while it was sending it. */
async function takeLeft(of: QueryFilter<OutboxDoc>, mine: Hold): Promise<OutboxDoc | null> {
  const sending = await OutboxModel.find({ ...of, state: "sending" }, { ownerId: 1, heldBy: 1 })
    .setOptions({ anyOwner: true })
    .lean();
  for (const { _id, ownerId, heldBy } of await abandonedAmong(sending)) {
    const left = await takeOne({ _id, ownerId, heldBy, state: "sending" }, mine);
    if (left) return left;
  }
  return null;
}

const takeOne = (filter: QueryFilter<OutboxDoc>, { by }: Hold): Promise<OutboxDoc | null> =>
  OutboxModel.findOneAndUpdate(
    filter,
    { $set: { state: "sending", heldBy: by }, $inc: { attempts: 1 } },
    { sort: { dueAt: 1 }, returnDocument: "before", lean: true, anyOwner: true },
  );

/** Gives whether it failed for now. */
async function deliver(taken: Taken, by: Delivering): Promise<boolean> {
  const { log } = by;
  const { mail, wasLeft } = taken;
  let result: Sent | null = null;
  const work = async () => {
    result = await resultOf(taken, by);
    if (!result) await putOff(mail);
    else await (result.success ? noteSent(mail, result, log) : noteFailure(mail, result, log));
  };
  const mayHaveLeft = () => wasLeft || result?.success === true || result?.details?.isUncertain === true;
  const setAside = () => noteUnfit(mail, { said: result?.error ?? UNFIT, mayHaveLeft: mayHaveLeft() }, log);
  try {
    await apart(work, { item: { mailId: mail._id }, log, setAside, putBack: () => waitAgain(mail) });
    return isTemporary(result);
  } finally {
    taken.hold.release();
  }
}

const isTemporary = (result: SendResult | null): boolean => result?.details?.isTemporary ?? false;

/**
 * What becomes of it; null where there is no way by which it could leave. One whose process died is judged like every
 * other, unless it is found to have left.
 */
async function resultOf(
  { mail, hold: mine, wasLeft }: Taken,
  { log, assertEntryStands }: Delivering,
): Promise<Sent | null> {
  const { ownerId, createdBy } = mail;
  const userId = (await mailboxFor({ userId: createdBy, ownerId }))?.userId ?? createdBy;
  const hasWay = await canSend(userId);
  const found = wasLeft && hasWay ? await foundOut(userId, mail) : null;
  if (found) return found;
  const whyNot = await whyNotByWriter(mail, log);
  if (whyNot) return { ...FAILED, error: wasLeft ? `${whyNot} ${MAY_HAVE_LEFT}` : whyNot };
  if (!mine.isHeld()) throw new Error("another process may send this mail by now");
  return hasWay ? hand(userId, mail, assertEntryStands) : null;
}

/** What became of a mail whose process died; null where it is to be sent again, under the same Message-ID. */
async function foundOut(userId: string, { messageId }: OutboxDoc): Promise<SendResult | null> {
  if (await wasSentByMailbox(userId, messageId)) return { success: true, method: "IMAP", fallbackUsed: false };
  if (await keepsMessageId(userId)) return null;
  return {
    ...FAILED,
    error: "It is not certain whether this mail was sent. Ask, or send it again.",
    details: { isUncertain: true },
  };
}

const FAILED: SendResult = { success: false, method: "fallback", fallbackUsed: false };

/** The mail as this try holds it: no other try has taken it since. */
const held = ({ _id, ownerId, heldBy }: OutboxDoc) => ({ _id, ownerId, heldBy, state: "sending" as const });

function hand(userId: string, mail: OutboxDoc, assertEntryStands: Delivering["assertEntryStands"]): Promise<Sent> {
  return trySending(async () => {
    const content = contentOf(mail);
    await assertEntryStands(mail, content);
    const writer = await findIdentityUser(mail.createdBy);
    const senderName = writer ? `${writer.first_name} ${writer.last_name}` : "";
    const { calendar, files } = partsOf(content);
    return {
      userId,
      payload: emailPayloadSchema.parse({
        to_email: [content.to, ...content.alsoTo].join(","),
        to_name: content.toName,
        cc: content.cc.join(","),
        subject: content.subject,
        message: content.html ?? content.text,
        isHtml: content.html !== null,
      }),
      messageId: mail.messageId,
      about: { ...aboutOf(mail, content), ...(senderName ? { senderName } : {}) },
      headers: threadOf(content),
      ...(content.fromName ? { fromName: content.fromName } : {}),
      calendar,
      files: [...files, ...(await filesOf(mail, content))],
    };
  });
}

/** What the gate has to know: whose letter it is, and whose addresses these were when it was written. */
function aboutOf({ clientId, caseId, partyId, purpose }: OutboxDoc, { expected }: MailContent): SendMail["about"] {
  const party = caseId && partyId ? { caseId, partyId } : null;
  return { clientId, party, expected, hasNeutralSubject: purpose !== "letter" };
}

/** What makes a mail program put an answer below what it answers. */
const threadOf = ({ inReplyTo, references }: MailContent): Record<string, string> => ({
  ...(inReplyTo ? { "In-Reply-To": inReplyTo } : {}),
  ...(references.length > 0 ? { References: references.join(" ") } : {}),
});

/** What cannot be sent as it is, and never will be, is a result too. */
async function trySending(make: () => Promise<SendMail>): Promise<Sent> {
  try {
    return await sendMail(await make(), { patienceMs: PATIENCE_MS });
  } catch (error) {
    if (isDatabaseFailure(error) || isBusy(error)) throw error;
    return { ...FAILED, error: error instanceof Error ? error.message : String(error) };
  }
}

/** A calendar entry is a part of its own, so that mail programs let people answer it. */
function partsOf({ attachments }: MailContent): { calendar: CalendarPart | null; files: OutgoingAttachment[] } {
  const invitation = attachments.find(({ mime }) => mime.startsWith("text/calendar"));
  const files = attachments
    .filter((one) => one !== invitation)
    .map(({ name, mime, content }) => ({ name, mime, content: Buffer.from(content) }));
  if (!invitation) return { calendar: null, files };
  const method = invitation.mime.includes("method=CANCEL") ? "CANCEL" : "REQUEST";
  return { calendar: { method, content: invitation.content }, files };
}

const BUSY = "Waiting: the server was busy. It is sent by itself in some minutes.";

/** Nothing is wrong with it, so no try is counted. */
const waitAgain = (mail: OutboxDoc) =>
  OutboxModel.updateOne(held(mail), {
    $set: { state: "queued", dueAt: new Date(now().getTime() + PUT_BACK_MS), reason: BUSY },
    $inc: { attempts: -1 },
  });

/** Nothing is set up by which it could leave: it waits, with the others of the same writer, and no try is counted. */
async function putOff({ ownerId, createdBy, ...mail }: OutboxDoc): Promise<void> {
  const dueAt = new Date(now().getTime() + UNSENDABLE_PAUSE_MS);
  await OutboxModel.updateOne(held({ ownerId, createdBy, ...mail }), {
    $set: { state: "queued", dueAt, reason: NO_WAY },
    $inc: { attempts: -1 },
  });
  // Not those that wait for a later time.
  await OutboxModel.updateMany(
    { ownerId, createdBy, state: "queued", dueAt: mongoose.trusted({ $lt: dueAt }) },
    { $set: { dueAt, reason: NO_WAY } },
  );
}

/** The product itself cannot work on it: it stands where its writer looks, and is not sent by itself any more. */
async function noteUnfit(mail: OutboxDoc, { said, mayHaveLeft }: Unfit, log: Logger): Promise<void> {
  const state = mayHaveLeft ? ("uncertain" as const) : ("failed" as const);
  const reason = cutText(mayHaveLeft ? `${said} ${MAY_HAVE_LEFT}` : said, REASON_MAX_LENGTH);
  await OutboxModel.updateOne(held(mail), { $set: { state, reason } });
  // What it belongs to may be what is wrong with it.
  const unlinked = { ...mail, clientId: null, caseId: null };
  await apart(() => tellWriter(unlinked, { reason, problems: [] }, log), {
    item: { mailId: mail._id },
    log,
    setAside: () => Promise.resolve(),
    putBack: () => Promise.resolve(),
  });
}

interface Unfit {
  said: string;
  mayHaveLeft: boolean;
}

/** Whatever else became of it meanwhile: it was sent. */
async function noteSent({ _id, ownerId }: OutboxDoc, result: SendResult, log: Logger): Promise<void> {
  const { method, fallbackUsed, details } = result;
  const refused = details?.rejected?.map((address) => `${address} was refused by the mail server.`) ?? [];
  const warnings = [...refused, ...(details?.warnings ?? [])];
  const sent = { state: "sent" as const, reason: "", method, isFallbackUsed: fallbackUsed, warnings, sentAt: now() };
  await inTransaction(async () => {
    const before = await OutboxModel.findOneAndUpdate({ _id, ownerId }, { $set: sent }, { lean: true });
    if (before?.sentAt === null) await tellSent(before);
  });
  log.info({ mailId: _id, method, fallbackUsed }, "case mail sent");
}

async function noteFailure(mail: OutboxDoc, result: Sent, log: Logger): Promise<void> {
  const reason = cutText(result.error ?? "", REASON_MAX_LENGTH);
  const { isUncertain = false, isTemporary = false } = result.details ?? {};
  const delayMs = RETRY_MS[mail.attempts - 1] ?? LATER_MAX_MS;
  const isOver = !isTemporary || mail.attempts >= ATTEMPTS_MAX;
  const state = isUncertain ? "uncertain" : isOver ? "failed" : "queued";
  const dueAt = new Date(now().getTime() + delayMs);
  const { method } = result;
  await inTransaction(async () => {
    const { matchedCount } = await OutboxModel.updateOne(held(mail), { $set: { state, reason, dueAt, method } });
    if (matchedCount > 0 && state === "uncertain") await tellUncertain(mail);
    if (matchedCount > 0 && state === "failed")
      await tellWriter(mail, { reason, problems: result.problems ?? [] }, log);
  });
  log.warn({ mailId: mail._id, attempts: mail.attempts, state, reason }, "case mail not delivered");
}
