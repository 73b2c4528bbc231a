// Whom the mails of mailboxes named that somebody of a practice was shown here. What answers one of them is judged by it,
// also when the mail was deleted since, or its mailbox is not shared any more.
import mongoose from "mongoose";
import { z } from "zod";
import { DAY_MS, now } from "../../core/clock.ts";
import { decrypt, encrypt, keyedHash } from "../../core/crypto.ts";
import { isDuplicateKey } from "../../core/database.ts";
import type { Mail } from "../../core/imap-messages.ts";
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

/** What the search for mails that lie in a mailbox sees of one, too. */
export const addressesOf = ({ envelope }: Pick<Mail, "envelope">): string[] => {
  const { from = [], sender = [], replyTo = [], to = [], cc = [], bcc = [] } = envelope ?? {};
  return [...from, ...sender, ...replyTo, ...to, ...cc, ...bcc].map(({ address }) => address);
};

/**
 * Writes down whom these mails name, before somebody of this practice is shown them. Copies of one mail may name
 * different people: all of them count.
 */
export async function noteSeen(ownerId: string, mails: readonly Pick<Mail, "envelope">[]): Promise<void> {
  const named = new Map<string, Set<string>>();
  for (const mail of mails) {
    const messageId = /<[^<>\s]+>/.exec(mail.envelope?.messageId ?? "")?.[0] ?? "";
    if (messageId === "") continue;
    const _id = keyOf(ownerId, messageId);
    named.set(_id, new Set([...(named.get(_id) ?? []), ...addressesOf(mail)]));
  }
  const fresh = [...named].filter(([_id, addresses]) => !known.has(markOf(_id, addresses)));
  if (fresh.length === 0) return;
  const before = await docsOf(
    ownerId,
    fresh.map(([_id]) => _id),
  );
  for (const [_id, addresses] of fresh) {
    const all = new Set([...(before.get(_id) ?? []), ...addresses]);
    if (all.size > (before.get(_id)?.length ?? 0)) await store(ownerId, _id, [...all]);
    keepKnown(markOf(_id, addresses));
  }
}

const markOf = (_id: string, addresses: ReadonlySet<string>) => keyedHash(`${_id} ${[...addresses].toSorted().join()}`);

async function store(ownerId: string, _id: string, addresses: string[]): Promise<void> {
  const addressesEnc = encrypt(JSON.stringify(addresses), placeOf({ _id }));
  const upsert = () =>
    SeenMailModel.updateOne({ ownerId, _id }, { $set: { addressesEnc, at: now() } }, { upsert: true });
  // Somebody else was shown it at the same moment.
  await upsert().catch((error: unknown) => (isDuplicateKey(error) ? upsert() : Promise.reject(error)));
}

function keepKnown(mark: string): void {
  const [oldest] = known;
  if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
  known.add(mark);
}

const addressesSchema = z.array(z.string());

/** The addresses in each of these mails that somebody of the practice was shown. */
export async function addressesSeen(ownerId: string, messageIds: readonly string[]): Promise<string[][]> {
  if (messageIds.length === 0) return [];
  const found = await docsOf(
    ownerId,
    messageIds.map((messageId) => keyOf(ownerId, messageId)),
  );
  return [...found.values()];
}

async function docsOf(ownerId: string, ids: string[]): Promise<Map<string, string[]>> {
  const docs = await SeenMailModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }).lean();
  return new Map(
    docs.map((doc) => [doc._id, addressesSchema.parse(JSON.parse(decrypt(doc.addressesEnc, placeOf(doc))))]),
  );
}
