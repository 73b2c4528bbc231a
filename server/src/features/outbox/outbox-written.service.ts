import mongoose from "mongoose";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";

interface Written extends Pick<OutboxDoc, "messageId" | "partyId" | "clientId"> {
  /** Everybody who got it. */
  addresses: string[];
}

/** Those of these Message-IDs that we gave to mails of our own, with whom they went to. */
export async function findWritten(ownerId: string, messageIds: string[]): Promise<Written[]> {
  if (messageIds.length === 0) return [];
  const docs = await OutboxModel.find(
    { ownerId, messageId: mongoose.trusted({ $in: messageIds }) },
    { ownerId: 1, messageId: 1, partyId: 1, clientId: 1, contentEnc: 1 },
  ).lean();
  return docs.map((doc) => {
    const { to, alsoTo, cc } = contentOf(doc);
    const { messageId, partyId, clientId } = doc;
    return { messageId, partyId, clientId, addresses: [to, ...alsoTo, ...cc] };
  });
}

/** The files of the practice that a mail of ours with this Message-ID carried. */
export async function filesCarriedBy(ownerId: string, messageId: string): Promise<string[]> {
  if (messageId === "") return [];
  const docs = await OutboxModel.find({ ownerId, messageId }, { ownerId: 1, contentEnc: 1 }).lean();
  return docs.flatMap((doc) => contentOf(doc).files.map(({ fileId }) => fileId));
}
