import mongoose from "mongoose";
import { MailDraftModel } from "./mail-drafts.model.ts";
import { OutboxModel } from "./outbox.model.ts";

/** Those of these clients to whom a mail was written, or begun. */
export async function clientsWithMail(ownerId: string, ids: string[]): Promise<Set<string>> {
  const of = { ownerId, clientId: mongoose.trusted({ $in: ids }) };
  const written: unknown[] = await OutboxModel.distinct("clientId", of);
  const begun = await MailDraftModel.distinct("clientId", of);
  return idsIn([...written, ...begun]);
}

/** Those of these cases in which a mail was written, or begun. */
export async function casesWithMail(ownerId: string, ids: string[]): Promise<Set<string>> {
  const of = { ownerId, caseId: mongoose.trusted({ $in: ids }) };
  const written: unknown[] = await OutboxModel.distinct("caseId", of);
  const begun: unknown[] = await MailDraftModel.distinct("caseId", of);
  return idsIn([...written, ...begun]);
}

const idsIn = (found: unknown[]): Set<string> => new Set(found.filter((id) => typeof id === "string"));
