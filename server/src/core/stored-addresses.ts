import mongoose from "mongoose";
import { canonicalEmail, mailboxKey } from "@app/shared/email-address";

/** Everything that nobody sees; an address of before may hold some of it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The one form of an address that was stored before there was one: what nobody sees goes. Empty where that leaves no
 * address that mail could reach.
 */
export const repairedAddress = (stored: string): string =>
  stored === "" ? "" : (canonicalEmail(stored.replace(INVISIBLE, "")) ?? "");

interface Moved {
  _id: string;
  formerMailboxes: string[];
}

/** What is compared changed: the addresses that people left are stored as they are compared. */
export async function leftMailboxesOf(collection: string): Promise<void> {
  const people = mongoose.connection.collection<Moved>(collection);
  for await (const { _id, formerMailboxes } of people.find({ "formerMailboxes.0": { $exists: true } }))
    await people.updateOne({ _id }, { $set: { formerMailboxes: formerMailboxes.map(mailboxKey) } });
}
