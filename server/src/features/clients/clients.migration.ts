import mongoose from "mongoose";
import type { Logger } from "../../core/logger.ts";
import { repairedAddress } from "../../core/stored-addresses.ts";
import { ClientModel, storedFields } from "./clients.model.ts";

/** Also where the address stays as it is: what clients are looked up by changed with its form. */
export async function oneFormOfClientAddresses(log: Logger): Promise<void> {
  const docs = ClientModel.find({ email: mongoose.trusted({ $ne: "" }) })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of docs) {
    const email = repairedAddress(doc.email);
    if (email === "")
      log.warn({ clientId: doc._id }, "address of a client could not be used and was moved to the note");
    const { safeContact } = doc;
    const note = email === "" ? `${safeContact.note} Former address: ${doc.email}`.trim() : safeContact.note;
    const { searchTerms, matchKeys } = storedFields({ ...doc, email });
    await ClientModel.updateOne(
      { _id: doc._id, ownerId: doc.ownerId, email: doc.email },
      { $set: { email, "safeContact.note": note.slice(0, 500), searchTerms, matchKeys } },
      { timestamps: false },
    );
  }
}
