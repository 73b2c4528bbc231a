// Whom the mails of mailboxes named that somebody of a practice was shown here. What answers one of them is judged by it,
// also when the mail was deleted since, or its mailbox is not shared any more.
import mongoose from "mongoose";
import type { FetchedMail } from "@app/shared/inbox";
import { z } from "zod";
import { DAY_MS, now } from "../../core/clock.ts";
import { decrypt, encrypt, keyedHash } from "../../core/crypto.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { owned } from "../../core/owned.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** Nobody answers a mail so late that they were shown no later. */
const KEPT_MS = 800 * DAY_MS;
/** Known to be written down, so that a list that is looked at again writes nothing. */
const KNOWN_MAX = 20_000;

interface SeenMailDoc {
  /** Of the practice and the Message-ID, as a hash. */
  _id: string;
  ownerId: string;
  addressesEnc: string;
  at: Date;
}

const required = { type: String, required: true };
const seenMailSchema = new mongoose.Schema<SeenMailDoc>(
  { _id: required, addressesEnc: required, at: { type: Date, required: true } },
  { collection: "seen_mails", versionKey: false },
);
seenMailSchema.plugin(owned);
seenMailSchema.index({ at: 1 });
const SeenMailModel = mongoose.model("SeenMail", seenMailSchema);

const placeOf = ({ _id }: Pick<SeenMailDoc, "_id">) => `seen_mails:${_id}:addresses`;
defineSealedField({ collection: "seen_mails", path: "addressesEnc", placeOf: (doc) => placeOf(doc) });
defineRemoval({ of: "whom mails named that were shown", keptMs: KEPT_MS, remove: removeFrom("seen_mails", "at") });

const keyOf = (ownerId: string, messageId: string): string =>
  keyedHash(`seen mail:${ownerId}:${messageId.toLowerCase()}`);

const known = new Set<string>();

/** Writes down whom these mails name, before somebody of this practice is shown them. */
export async function noteSeen(ownerId: string, mails: readonly FetchedMail[]): Promise<void> {
  const fresh = new Map(
    mails
      .filter(({ messageId }) => messageId !== "")
      .map((mail) => [keyOf(ownerId, mail.messageId), mail] as const)
      .filter(([_id]) => !known.has(_id)),
  );
  if (fresh.size === 0) return;
  const docs = Array.from(fresh, ([_id, { from, to, cc }]) => {
    const addresses = [from, ...to, ...cc].map(({ address }) => address);
    return { _id, ownerId, addressesEnc: encrypt(JSON.stringify(addresses), placeOf({ _id })), at: now() };
  });
  try {
    await SeenMailModel.insertMany(docs, { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  for (const _id of fresh.keys()) {
    const [oldest] = known;
    if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    known.add(_id);
  }
}

const addressesSchema = z.array(z.string());

/** The addresses in each of these mails that somebody of the practice was shown. */
export async function addressesSeen(ownerId: string, messageIds: readonly string[]): Promise<string[][]> {
  if (messageIds.length === 0) return [];
  const ids = messageIds.map((messageId) => keyOf(ownerId, messageId));
  const docs = await SeenMailModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }).lean();
  return docs.map((doc) => addressesSchema.parse(JSON.parse(decrypt(doc.addressesEnc, placeOf(doc)))));
}
