import mongoose from "mongoose";
import { cutText } from "@app/shared/cut-text";
import type { z } from "zod";
import type { Mailing, settleItemBounceSchema } from "@app/shared/mailings";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type Bounced, isProvedBy } from "../outbox/outbox-bounces.service.ts";
import { BOUNCE_REASON_MAX_LENGTH } from "../mail/said-to-bounce.service.ts";
import { recount } from "./mailing-counts.ts";
import { type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";
import { getMailing, itemsSeenBy } from "./mailings.service.ts";
import { suppress } from "../suppressions/suppressions.service.ts";

const LEFT = mongoose.trusted({ $in: ["sent", "uncertain", "leaving"] as const });

/**
 * One mail of a mailing came back; where nothing proves it, that is only noted beside it. False where the practice sent
 * none with this Message-ID to this address.
 */
export async function noteMailingBounce(ownerId: string, bounced: Bounced): Promise<boolean> {
  const { messageId, address, isLasting } = bounced;
  const [, _id = ""] = /^<([\w-]+)@/.exec(messageId) ?? [];
  const reason = cutText(bounced.reason, BOUNCE_REASON_MAX_LENGTH);
  const item = await MailingItemModel.findOne({ ownerId, _id, messageId, address, state: LEFT }).lean();
  if (!item) return false;
  if (isProvedBy(bounced, 1)) await noteReturned(item, { address, reason, isLasting });
  else
    await MailingItemModel.updateOne(
      { ownerId, _id, state: LEFT },
      { $set: { saidToBounce: { address, reason, isLasting, at: now() } } },
    );
  return true;
}

const noteReturned = (
  { ownerId, _id }: MailingItemDoc,
  { address, reason, isLasting }: Pick<Bounced, "address" | "reason" | "isLasting">,
): Promise<void> =>
  inTransaction(async () => {
    const before = await MailingItemModel.findOneAndUpdate(
      { ownerId, _id, state: LEFT },
      { $set: { state: "failed", reason, sentAt: null, saidToBounce: null } },
    ).lean();
    if (!before) return;
    await recount(before, "failed");
    if (isLasting) await suppress(ownerId, address, { reason: "bounced", detail: reason });
  });

/** Somebody of the practice says whether a mail came back of which nothing proves it. */
export async function settleItemBounce(
  scope: Scope,
  { mailingId, id, hasBounced }: z.output<typeof settleItemBounceSchema>,
): Promise<Mailing> {
  await getMailing(scope, mailingId);
  await inTransaction(async () => {
    const before = await MailingItemModel.findOneAndUpdate(
      { ...(await itemsSeenBy(scope, mailingId)), _id: id, saidToBounce: mongoose.trusted({ $ne: null }) },
      { $set: { saidToBounce: null } },
      { lean: true },
    );
    if (!before?.saidToBounce) throw wrongState("Somebody else decided this meanwhile. Look at the list again.");
    if (hasBounced) await noteReturned(before, before.saidToBounce);
  });
  return getMailing(scope, mailingId);
}
