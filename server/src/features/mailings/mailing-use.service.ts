import mongoose from "mongoose";
import { MailingItemModel, MailingModel } from "./mailings.model.ts";

/** Those of these clients whom a mailing that has not begun will reach; what has begun the history tells of. */
export async function clientsInMailings(ownerId: string, ids: string[]): Promise<Set<string>> {
  const untold = { untoldAfter: mongoose.trusted({ $ne: null }) };
  const ready = await MailingModel.distinct("_id", { ownerId, $or: [{ state: "ready" }, untold] });
  const found: unknown[] = await MailingItemModel.distinct("clientId", {
    ownerId,
    mailingId: mongoose.trusted({ $in: ready }),
    clientId: mongoose.trusted({ $in: ids }),
  });
  return new Set(found.filter((id) => typeof id === "string"));
}
