import mongoose from "mongoose";
import { OutboxModel } from "./outbox.model.ts";

/** Those of these clients to whom a mail was written. */
export async function clientsWithMail(ownerId: string, ids: string[]): Promise<Set<string>> {
  const found: unknown[] = await OutboxModel.distinct("clientId", {
    ownerId,
    clientId: mongoose.trusted({ $in: ids }),
  });
  return new Set(found.filter((id) => typeof id === "string"));
}

/** Those of these cases in which a mail was written. */
export async function casesWithMail(ownerId: string, ids: string[]): Promise<Set<string>> {
  const found: unknown[] = await OutboxModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) });
  return new Set(found.filter((id) => typeof id === "string"));
}
