import mongoose, { type QueryFilter } from "mongoose";
import { cutText } from "@app/shared/cut-text";
import type { z } from "zod";
import type { CaseMail, settleBounceSchema } from "@app/shared/mail";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { returnMail } from "../ladders/returned.service.ts";
import { suppress } from "../suppressions/suppressions.service.ts";
import { envelopeIdOf } from "../mail/senders/envelope-id.service.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { BOUNCE_REASON_MAX_LENGTH } from "../mail/said-to-bounce.service.ts";
import { contentOf, getCaseMail } from "./outbox.service.ts";

export interface Bounced {
  messageId: string;
  /** Who did not get it. */
  address: string;
  reason: string;
  /** The mailbox will never take mail, rather than not now. */
  isLasting: boolean;
  /** There is no such mailbox, and the report names this very one. */
  isOfMailbox: boolean;
  /** As the report says it; empty where it says none. */
  envelopeId: string;
  /** The report is proved to be from the provider that took the mail. */
  isFromOwnProvider: boolean;
}

/**
 * Whether a report is true, which anybody may write who has the mail. The envelope identifier stands in no mail, but
 * the server of each recipient may see it: so it proves a report only where there was one recipient, who may well say
 * of themselves that they did not get it. Otherwise the provider must have written it; and whoever got our mail may have
 * had the provider send one of theirs that looks like it, to whom they like and as if it had been for another. So then
 * it is believed only that the mailbox which was tried does not exist.
 */
export const isProvedBy = (
  { messageId, envelopeId, isFromOwnProvider, isOfMailbox }: Bounced,
  recipients: number,
): boolean => (isFromOwnProvider && isOfMailbox) || (recipients === 1 && envelopeId === envelopeIdOf(messageId));

const LEFT = mongoose.trusted({ $in: ["sent", "uncertain"] as const });

/**
 * A mail that had left came back; where nothing proves it, that is only noted beside it. False where the practice sent
 * none with this Message-ID to this address.
 */
export async function noteBounce(ownerId: string, bounced: Bounced): Promise<boolean> {
  const { messageId, address, isLasting } = bounced;
  const filter: QueryFilter<OutboxDoc> = { ownerId, messageId, state: LEFT };
  const mail = await OutboxModel.findOne(filter).lean();
  if (!mail) return false;
  const { to, alsoTo, cc } = contentOf(mail);
  if (to !== address) return false;
  const reason = cutText(bounced.reason, BOUNCE_REASON_MAX_LENGTH);
  if (isProvedBy(bounced, 1 + alsoTo.length + cc.length)) await noteReturned(mail, { address, reason, isLasting });
  else await OutboxModel.updateOne(filter, { $set: { saidToBounce: { address, reason, isLasting, at: now() } } });
  return true;
}

async function noteReturned(
  { ownerId, _id }: OutboxDoc,
  { address, reason, isLasting }: Pick<Bounced, "address" | "reason" | "isLasting">,
): Promise<void> {
  const change = { $set: { state: "bounced" as const, reason, saidToBounce: null } };
  await inTransaction(async () => {
    const { matchedCount } = await OutboxModel.updateOne({ ownerId, _id, state: LEFT }, change);
    if (matchedCount === 0) return;
    if (isLasting) await suppress(ownerId, address, { reason: "bounced", detail: reason });
    await returnMail(ownerId, _id);
  });
}

/** Somebody of the practice says whether a mail came back of which nothing proves it. */
export async function settleBounce(
  scope: Scope,
  { id, hasBounced }: z.output<typeof settleBounceSchema>,
): Promise<CaseMail> {
  await getCaseMail(scope, id);
  await inTransaction(async () => {
    const before = await OutboxModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, saidToBounce: mongoose.trusted({ $ne: null }) },
      { $set: { saidToBounce: null } },
      { lean: true },
    );
    if (!before?.saidToBounce) throw wrongState("Somebody else decided this meanwhile. Look at the message again.");
    if (hasBounced) await noteReturned(before, before.saidToBounce);
  });
  return getCaseMail(scope, id);
}
