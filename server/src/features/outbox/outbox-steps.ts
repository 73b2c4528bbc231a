// What somebody does with a mail that waits or did not leave.
import mongoose from "mongoose";
import type { CaseMail } from "@app/shared/mail";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeAttemptBack } from "../ladders/attempts.service.ts";
import { tellStopped } from "./outbox-history.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf, requireMail, sealContent, toCaseMail } from "./outbox.service.ts";

/** Tries a mail again that could not be delivered. */
export async function retryMail(scope: Scope, id: string): Promise<CaseMail> {
  const found = await requireMail(scope, id);
  const { state } = found;
  const { isDirect, attachments } = contentOf(found);
  if (isDirect || attachments.some(({ content }) => content === ""))
    throw wrongState("This mail was sent from another program, and its files are not kept. Send it again from there.");
  const doc = await OutboxModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, state: mongoose.trusted({ $in: ["failed", "uncertain"] }) },
    {
      $set: {
        state: "queued",
        attempts: 0,
        reason: "",
        taken: null,
        // Somebody decided that it goes again, whatever became of it before.
        mayHaveLeft: false,
        dueAt: now(),
        contentEnc: sentBy(scope, found),
      },
    },
    { returnDocument: "after", lean: true },
  );
  if (!doc)
    throw wrongState(`Only a mail that did not leave, or may not have, can be sent again; this one is ${state}.`);
  return toCaseMail(doc);
}

/** Lets a mail leave now that was to leave later. */
export async function sendNow(scope: Scope, id: string): Promise<CaseMail> {
  const found = await requireMail(scope, id);
  const doc = await OutboxModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, state: "queued", scheduledFor: mongoose.trusted({ $ne: null }) },
    { $set: { dueAt: now(), scheduledFor: null, contentEnc: sentBy(scope, found) } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw wrongState(`Only a mail that waits for its time can leave earlier; this one is ${found.state}.`);
  return toCaseMail(doc);
}

/** The content with whoever has it sent, for the history: they may be another than its writer. */
function sentBy({ userId, userName }: Scope, doc: OutboxDoc): string {
  const content = contentOf(doc);
  const { told } = content;
  if (!told) return doc.contentEnc;
  const writerName = told.writerName || told.actorName;
  const now = { ...told, actorName: userName, writerName: userId === doc.createdBy ? "" : writerName };
  return sealContent(doc.ownerId, doc._id, { ...content, told: now });
}

/** Stops a mail that has not left yet. */
export async function cancelMail(scope: Scope, id: string, log: Logger): Promise<CaseMail> {
  const { state } = await requireMail(scope, id);
  return inTransaction(async () => {
    const doc = await OutboxModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, $or: [{ state: "queued" }, { state: "failed" }] },
      { $set: { state: "cancelled" } },
      { returnDocument: "after", lean: true },
    );
    if (!doc) throw wrongState(`Only a mail that waits can be cancelled; this one is ${state}.`);
    await takeAttemptBack(scope, id);
    await tellStopped(scope, doc, log);
    return toCaseMail(doc);
  });
}
