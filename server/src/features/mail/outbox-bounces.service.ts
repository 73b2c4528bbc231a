import mongoose, { type QueryFilter } from "mongoose";
import { cutText } from "@app/shared/cut-text";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";

const REASON_MAX_LENGTH = 300;

export interface Bounced {
  messageId: string;
  /** Who did not get it. */
  address: string;
  reason: string;
}

/**
 * A mail that had left came back. False where the practice sent none with this Message-ID to this address: anybody may
 * send a notice that looks like one.
 */
export async function noteBounce(ownerId: string, { messageId, address, reason }: Bounced): Promise<boolean> {
  const filter: QueryFilter<OutboxDoc> = {
    ownerId,
    messageId,
    state: mongoose.trusted({ $in: ["sent", "uncertain"] }),
  };
  const mail = await OutboxModel.findOne(filter).lean();
  if (!mail || contentOf(mail).to !== address) return false;
  const { matchedCount } = await OutboxModel.updateOne(filter, {
    $set: { state: "bounced", reason: cutText(reason, REASON_MAX_LENGTH) },
  });
  return matchedCount === 1;
}
