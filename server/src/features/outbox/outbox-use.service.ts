import mongoose from "mongoose";
import { OutboxModel } from "./outbox.model.ts";

/** Those of these clients to whom a mail was written. */
export const clientsWithMail = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  OutboxModel.distinct("clientId", { ownerId, clientId: mongoose.trusted({ $in: ids }) });

/** Those of these cases in which a mail was written. */
export const casesWithMail = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  OutboxModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) });
