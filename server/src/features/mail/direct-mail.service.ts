// A mail that a program sends at once, by the gateway calls of the specification: the same gate, and the same record.
import type { SendDetails } from "@app/shared/mail-payload";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { conflict } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { judgeOne, reasonFor } from "./gate.service.ts";
import { addressesOf, mailOf, type PassedMail } from "./outgoing-gate.ts";
import { OutboxModel } from "./outbox.model.ts";
import { tellSent } from "./outbox-history.ts";
import { recordDirectMail } from "./outbox-direct.ts";
import { type OutgoingMail, toSendError } from "./senders/sender.ts";

const NEUTRAL = "Sender, subject and names were made neutral: somebody who gets this mail must be reached discreetly.";

/**
 * Sends a mail by `send` and keeps the record that every mail of the practice has. Throws CONFLICT where the gate
 * refuses it, and SendError where it did not leave.
 */
export async function sendDirectly(
  scope: Scope,
  mail: OutgoingMail,
  send: (passed: PassedMail) => Promise<SendDetails>,
): Promise<SendDetails> {
  const verdict = await judgeOne(scope.ownerId, { mail, clientId: null, party: null, senderName: scope.userName });
  if (!verdict.passes) throw conflict(await reasonFor(scope, verdict.problems));
  const id = await recordDirectMail(scope, mailOf(verdict.mail), addressesOf(mail));
  const details = await send(verdict.mail).catch(async (error: unknown) => {
    const failure = toSendError(error);
    if (!failure.isUncertain) await note(scope, id, { state: "failed", reason: failure.message.slice(0, 500) });
    throw failure;
  });
  await inTransaction(async () => {
    const sent = await note(scope, id, { state: "sent", reason: "", sentAt: now(), warnings: details.warnings ?? [] });
    if (sent) await tellSent(sent);
  });
  return verdict.isNeutral ? { ...details, warnings: [NEUTRAL, ...(details.warnings ?? [])] } : details;
}

const note = ({ ownerId }: Scope, _id: string, change: object) =>
  OutboxModel.findOneAndUpdate({ ownerId, _id }, { $set: change }, { returnDocument: "after", lean: true });
