// What stands on a mail once a try to deliver it is over.
import mongoose from "mongoose";
import { cutText } from "@app/shared/cut-text";
import type { SendDetails, SendResult } from "@app/shared/mail-payload";
import { apart, PUT_BACK_MS } from "../../core/apart.ts";
import { MINUTE_MS, now, SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { noteFilesSent } from "../files/file-content.service.ts";
import { takeAttemptBack } from "../ladders/attempts.service.ts";
import { noteAttemptLeft } from "../ladders/waiting-invitations.service.ts";
import { pausedUntil, pauseReason } from "../mail/carrier-pauses.service.ts";
import type { Carrier } from "../mail/mail-from.service.ts";
import type { Sent } from "../mail/mail.service.ts";
import { LATER_MAX_MS, type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { tellSent, tellUncertain, tellWriter } from "./outbox-history.ts";
import { contentOf, type MailContent, sealContent } from "./outbox.service.ts";

const ATTEMPTS_MAX = 4;
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
const UNSENDABLE_PAUSE_MS = MINUTE_MS;
const TURN_PAUSE_MS = 5 * SECOND_MS;
const NO_WAY = "Waiting: no mailbox is connected yet. Connect yours on the email settings page.";
const BUSY = "Waiting: the server was busy. It is sent by itself in some minutes.";
export const MAY_HAVE_LEFT = "It may have left before: ask whether it came.";
const REASON_MAX_LENGTH = 500;

/** The mail as this try holds it: no other try has taken it since. */
const held = ({ _id, ownerId, heldBy }: OutboxDoc) => ({ _id, ownerId, heldBy, state: "sending" as const });

/** What leaves is what stands in the record, where it was made anew. */
export async function keepContent(mail: OutboxDoc, content: MailContent): Promise<void> {
  const contentEnc = sealContent(mail.ownerId, mail._id, content);
  await OutboxModel.updateOne(held(mail), { $set: { contentEnc } });
}

/** Something else says by now what it was to say: nobody has to do anything. */
export async function noteSuperseded(mail: OutboxDoc, reason: string, log: Logger): Promise<void> {
  await OutboxModel.updateOne(held(mail), { $set: { state: "superseded", reason } });
  log.info({ mailId: mail._id }, "case mail superseded");
}

/** An older one to the same person is on its way; no try is counted. */
export async function keepWaiting(mail: OutboxDoc): Promise<void> {
  const dueAt = new Date(now().getTime() + TURN_PAUSE_MS);
  await OutboxModel.updateOne(held(mail), { $set: { state: "queued", dueAt }, $inc: { attempts: -1 } });
}

/** The server was busy: nothing is wrong with the mail, so no try is counted. */
export async function waitAgain(mail: OutboxDoc): Promise<void> {
  const dueAt = new Date(now().getTime() + PUT_BACK_MS);
  await OutboxModel.updateOne(held(mail), { $set: { state: "queued", dueAt, reason: BUSY }, $inc: { attempts: -1 } });
}

/** Nothing is set up by which it could leave: it waits, with the others of the same writer, and no try is counted. */
export async function putOff({ ownerId, createdBy, ...mail }: OutboxDoc): Promise<void> {
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
export async function noteUnfit(mail: OutboxDoc, { said, mayHaveLeft }: Unfit, log: Logger): Promise<void> {
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

/** Whoever takes it over from a process that ends now does not send it again. */
export async function noteTaken({ _id, ownerId }: OutboxDoc, details: SendDetails): Promise<void> {
  await OutboxModel.updateOne({ _id, ownerId }, { $set: { taken: { at: now(), warnings: warningsOf(details) } } });
}

function warningsOf({ rejected = [], warnings = [] }: SendDetails): string[] {
  return [...rejected.map((address) => `${address} was refused by the mail server.`), ...warnings];
}

/** Whatever else became of it meanwhile: it was sent. */
export async function noteSent({ _id, ownerId, taken }: OutboxDoc, result: SendResult, log: Logger): Promise<void> {
  const { method, fallbackUsed, details } = result;
  const sent = {
    state: "sent" as const,
    reason: "",
    method,
    isFallbackUsed: fallbackUsed,
    warnings: warningsOf(details ?? {}),
    sentAt: taken?.at ?? now(),
  };
  await inTransaction(async () => {
    const before = await OutboxModel.findOneAndUpdate({ _id, ownerId }, { $set: sent }, { lean: true });
    if (before?.sentAt !== null) return;
    await noteFilesSent(ownerId, fileIdsOf(before));
    await tellSent(before);
    await noteAttemptLeft(ownerId, _id);
  });
  log.info({ mailId: _id, method, fallbackUsed }, "case mail sent");
}

const fileIdsOf = (mail: OutboxDoc): string[] => contentOf(mail).files.map(({ fileId }) => fileId);

interface Trying {
  carrier: Carrier;
  log: Logger;
}

export async function noteFailure(mail: OutboxDoc, result: Sent, { carrier, log }: Trying): Promise<void> {
  const { isUncertain = false, isTemporary = false } = result.details ?? {};
  const delayMs = RETRY_MS[mail.attempts - 1] ?? LATER_MAX_MS;
  const isOver = !isTemporary || mail.attempts >= ATTEMPTS_MAX;
  const state = isUncertain ? "uncertain" : isOver ? "failed" : "queued";
  const nextTryAt = new Date(now().getTime() + delayMs);
  const until = result.details?.isUnanswered ? await pausedUntil(carrier) : null;
  const dueAt = until && until > nextTryAt ? until : nextTryAt;
  const reason =
    until && state === "queued" ? await pauseReason(carrier, dueAt) : cutText(result.error ?? "", REASON_MAX_LENGTH);
  const { method } = result;
  await inTransaction(async () => {
    const { matchedCount } = await OutboxModel.updateOne(held(mail), { $set: { state, reason, dueAt, method } });
    if (matchedCount > 0 && state === "uncertain") {
      await noteFilesSent(mail.ownerId, fileIdsOf(mail));
      await tellUncertain(mail);
      await noteAttemptLeft(mail.ownerId, mail._id);
    }
    if (matchedCount > 0 && state === "failed") {
      await takeAttemptBack(systemScope(mail.ownerId), mail._id);
      await tellWriter(mail, { reason, problems: result.problems ?? [] }, log);
    }
  });
  // Why stands on the mail, for those who may see it: it names people, their addresses and their files.
  log.warn({ mailId: mail._id, attempts: mail.attempts, state, method, isTemporary }, "case mail not delivered");
}
