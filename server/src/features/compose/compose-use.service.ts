import mongoose from "mongoose";
import { MailDraftModel } from "./mail-drafts.model.ts";

/** Those of these clients to whom a mail was begun. */
export const clientsWithDrafts = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  MailDraftModel.distinct("clientId", { ownerId, clientId: mongoose.trusted({ $in: ids }) });

/** Those of these cases in which a mail was begun. */
export const casesWithDrafts = (ownerId: string, ids: string[]): Promise<(string | null)[]> =>
  MailDraftModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) });
