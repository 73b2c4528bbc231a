import mongoose from "mongoose";
import { MailingItemModel, MailingModel } from "./mailings.model.ts";

const CONTACT = "contact:";

/** The contacts among those whose address it was, as the gate names them. */
export const contactsAmong = (people: readonly string[] = []): string[] =>
  people.flatMap((key) => (key.startsWith(CONTACT) ? [key.slice(CONTACT.length)] : []));

/** Those of these contacts whose address stands on the list of a mailing. */
export async function contactsInMailings(ownerId: string, ids: string[]): Promise<Set<string>> {
  const people = ids.map((id) => CONTACT + id);
  const found = await MailingItemModel.distinct("people", { ownerId, people: mongoose.trusted({ $in: people }) });
  return new Set(contactsAmong(found));
}

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
