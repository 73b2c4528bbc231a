import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";

/** Those of these clients to whom a mail was written. */
export const clientsWithMail = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  OutboxModel.distinct("clientId", { ownerId, clientId: mongoose.trusted({ $in: ids }) });

/** Those of these contacts to whose address a mail was written. */
export const contactsWithMail = (ownerId: string, ids: string[]): Promise<string[]> =>
  OutboxModel.distinct("contactIds", { ownerId, contactIds: mongoose.trusted({ $in: ids }) });

/** Those of these cases in which a mail was written. */
export const casesWithMail = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  OutboxModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) });

/** How each of these mails stands. */
export async function statesOfMails({ ownerId }: Scope, ids: string[]): Promise<Map<string, OutboxDoc["state"]>> {
  if (ids.length === 0) return new Map();
  const docs = await OutboxModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, { state: 1 }).lean();
  return new Map(docs.map(({ _id, state }) => [_id, state]));
}
