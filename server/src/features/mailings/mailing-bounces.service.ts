import mongoose from "mongoose";
import { cutText } from "@app/shared/cut-text";
import { inTransaction } from "../../core/database.ts";
import type { Bounced } from "../mail/outbox-bounces.service.ts";
import { recount } from "./mailing-counts.ts";
import { MailingItemModel } from "./mailings.model.ts";

const REASON_MAX_LENGTH = 300;

/** One mail of a mailing came back. False where the practice sent none with this Message-ID to this address. */
export async function noteMailingBounce(ownerId: string, { messageId, address, reason }: Bounced): Promise<boolean> {
  const [, _id = ""] = /^<([\w-]+)@/.exec(messageId) ?? [];
  return inTransaction(async () => {
    const item = await MailingItemModel.findOneAndUpdate(
      { ownerId, _id, messageId, address, state: mongoose.trusted({ $in: ["sent", "uncertain"] }) },
      { $set: { state: "failed", reason: cutText(reason, REASON_MAX_LENGTH), sentAt: null } },
    ).lean();
    if (item) await recount(item, "failed");
    return item !== null;
  });
}
