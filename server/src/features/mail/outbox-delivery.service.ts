import mongoose from "mongoose";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";
import { openTransport } from "./system-mail-delivery.service.ts";
import { isMailConfigured, senderAddress } from "./system-mail.service.ts";

const ATTEMPTS_MAX = 4;
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
// Longer than any try can take: a mail still "sending" after it was left by a process that died.
const LEASE_MS = 2 * MINUTE_MS;
const BATCH = 50;
const REASON_MAX_LENGTH = 300;

defineRepeatedJob({ name: "deliver case mail", every: "10 seconds", run: deliverCaseMail });

/** Delivers what is due; several processes share the work, and no mail is taken by two. */
export async function deliverCaseMail(log: Logger): Promise<void> {
  if (!isMailConfigured()) return;
  for (let tried = 0; tried < BATCH; tried += 1) {
    const mail = await takeNext();
    if (!mail) return;
    await deliver(mail, log);
  }
}

const takeNext = (): Promise<OutboxDoc | null> =>
  OutboxModel.findOneAndUpdate(
    { state: mongoose.trusted({ $in: ["queued", "sending"] }), dueAt: mongoose.trusted({ $lte: now() }) },
    { $set: { state: "sending", dueAt: new Date(now().getTime() + LEASE_MS) }, $inc: { attempts: 1 } },
    { sort: { dueAt: 1 }, returnDocument: "after", lean: true, anyOwner: true },
  );

async function deliver(mail: OutboxDoc, log: Logger): Promise<void> {
  const { _id, ownerId } = mail;
  try {
    await hand(mail);
  } catch (error) {
    await noteFailure(mail, error, log);
    return;
  }
  await OutboxModel.updateOne(
    { _id, ownerId, state: "sending" },
    { $set: { state: "sent", reason: "", sentAt: now() } },
  );
  log.info({ mailId: _id }, "case mail sent");
}

async function hand(mail: OutboxDoc): Promise<void> {
  const { to, toName, subject, text, attachments } = contentOf(mail);
  const transport = openTransport();
  try {
    await transport.sendMail({
      from: { name: await practiceNameOf(mail.ownerId), address: senderAddress() },
      to: { name: toName, address: to },
      subject,
      text,
      messageId: mail.messageId,
      attachments: attachments.map(({ name, mime, content }) => ({ filename: name, contentType: mime, content })),
    });
  } finally {
    transport.close();
  }
}

async function noteFailure({ _id, ownerId, attempts }: OutboxDoc, error: unknown, log: Logger): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX_LENGTH);
  const isOver = attempts >= ATTEMPTS_MAX;
  const delayMs = RETRY_MS[attempts - 1] ?? LEASE_MS;
  await OutboxModel.updateOne(
    { _id, ownerId, state: "sending" },
    { $set: { state: isOver ? "failed" : "queued", reason, dueAt: new Date(now().getTime() + delayMs) } },
  );
  log.warn({ mailId: _id, attempts, reason }, "case mail not delivered");
}
