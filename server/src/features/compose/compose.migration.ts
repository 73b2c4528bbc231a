import mongoose from "mongoose";
import { contentOf } from "./compose-drafts.service.ts";
import { MailDraftModel } from "./mail-drafts.model.ts";

const ONE_FOR_EACH_CLIENT = "ownerId_1_createdBy_1_clientId_1";
const ONE_FOR_EACH_CASE = "ownerId_1_createdBy_1_clientId_1_caseId_1";

/** There was one for each client once, which says in itself in which case, and later one for each client and case. */
export async function draftsSideBySide(): Promise<void> {
  const { collection } = MailDraftModel;
  for (const name of [ONE_FOR_EACH_CLIENT, ONE_FOR_EACH_CASE])
    if (await collection.indexExists(name)) await collection.dropIndex(name);
  const ofClients = MailDraftModel.find({ caseId: mongoose.trusted({ $exists: false }) })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of ofClients) {
    const caseId = contentOf(doc)?.caseId ?? null;
    await MailDraftModel.updateOne({ ownerId: doc.ownerId, _id: doc._id }, { $set: { caseId } });
  }
  await collection.updateMany({ version: { $exists: false } }, { $set: { version: 1, windowId: "" } });
}
