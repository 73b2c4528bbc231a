// A mail that a program sends at once, by the gateway calls of the specification: the same gate, and the same record.
import { cutText } from "@app/shared/cut-text";
import type { SendDetails } from "@app/shared/mail-payload";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { conflict } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { doOnce, type Keep, KEPT_BY_NOBODY, type Sending } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { judgeOne, reasonFor } from "./gate.service.ts";
import { mailOf, type PassedMail } from "./outgoing-gate.ts";
import { OutboxModel } from "./outbox.model.ts";
import { tellSent } from "./outbox-history.ts";
import { recordDirectMail } from "./outbox-direct.ts";
import { type OutgoingMail, SendError, toSendError } from "./senders/sender.ts";

const NEUTRAL = "Sender, subject and names were made neutral: somebody who gets this mail must be reached discreetly.";

export interface DirectMail {
  mail: OutgoingMail;
  send: (passed: PassedMail) => Promise<SendDetails>;
  /** What its sender calls it, so that it leaves once however often it is sent; null where they call it nothing. */
  sending: Sending | null;
}

/**
 * Sends a mail and keeps the record that every mail of the practice has. Throws CONFLICT where the gate refuses it, and
 * SendError where it did not leave.
 */
export async function sendDirectly(scope: Scope, direct: DirectMail): Promise<SendDetails> {
  const { sending } = direct;
  if (!sending) return sendNow(scope, direct, KEPT_BY_NOBODY);
  return doOnce(scope, sending, {
    make: (keep) => sendNow(scope, direct, keep),
    look: (madeId) => whatBecameOf(scope, madeId),
  });
}

async function sendNow(scope: Scope, { mail, send }: DirectMail, keep: Keep): Promise<SendDetails> {
  const verdict = await judgeOne(scope.ownerId, { mail, clientId: null, party: null, senderName: scope.userName });
  if (!verdict.passes) throw conflict(await reasonFor(scope, verdict.problems));
  const id = newId();
  await inTransaction(async () => {
    await keep(id);
    await recordDirectMail(scope, id, mailOf(verdict.mail));
  });
  const details = await send(verdict.mail).catch(async (error: unknown) => {
    const failure = toSendError(error);
    if (!failure.isUncertain) await note(scope, id, { state: "failed", reason: cutText(failure.message, 500) });
    throw failure;
  });
  const warnings = [...(verdict.isNeutral ? [NEUTRAL] : []), ...(details.warnings ?? [])];
  await inTransaction(async () => {
    const sent = await note(scope, id, { state: "sent", reason: "", sentAt: now(), warnings });
    if (sent) await tellSent(sent);
  });
  return warnings.length > 0 ? { ...details, warnings } : details;
}

/** The answer to a mail that was sent before, from its record. */
async function whatBecameOf({ ownerId }: Scope, _id: string): Promise<SendDetails> {
  const doc = await OutboxModel.findOne({ ownerId, _id }).lean();
  if (doc?.state !== "sent") throw new SendError(doc?.reason || "This mail was sent before and is gone.");
  return { messageId: doc.messageId, ...(doc.warnings.length > 0 ? { warnings: doc.warnings } : {}) };
}

const note = ({ ownerId }: Scope, _id: string, change: object) =>
  OutboxModel.findOneAndUpdate({ ownerId, _id }, { $set: change }, { returnDocument: "after", lean: true });
