// One change after the other to a document that is signed: its trail is a chain.
import { isBeingSigned } from "@app/shared/signatures";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { busy } from "../../core/errors.ts";
import { type SignatureDoc, SignatureModel, type SignerDoc } from "./signatures.model.ts";
import { withLine } from "./trail.ts";

const TRIES = 8;

export type Draft = SignatureDoc & { note: (text: string, from?: string) => void };

/** Changes it as it stands by then; of two at once the second sees what the first did. Null where `change` leaves it. */
export async function changeSignature<Result>(
  { ownerId, _id }: Pick<SignatureDoc, "ownerId" | "_id">,
  change: (draft: Draft) => Promise<Result | null>,
): Promise<Result | null> {
  for (let count = 0; count < TRIES; count += 1) {
    const outcome = await inTransaction(() => changeOnce({ ownerId, _id }, change));
    if (outcome.isDone) return outcome.result;
  }
  throw busy("Others sign this at the moment. Try again.");
}

async function changeOnce<Result>(
  { ownerId, _id }: Pick<SignatureDoc, "ownerId" | "_id">,
  change: (draft: Draft) => Promise<Result | null>,
): Promise<{ isDone: boolean; result: Result | null }> {
  const doc = await SignatureModel.findOne({ ownerId, _id }).lean<SignatureDoc>();
  if (!doc) return { isDone: true, result: null };
  const draft: Draft = {
    ...doc,
    note(text, from = "") {
      draft.trail = [...draft.trail, withLine(draft.trail, draft.content.hash, { at: now(), text, from })];
    },
  };
  const result = await change(draft);
  if (result === null) return { isDone: true, result };
  const { status, signers, trail, sealedFileId, sealedHash, sealedAt } = draft;
  const { seal, sealHash, stampedAt, unstampedWhy } = draft;
  const made = { seal, sealHash, stampedAt, unstampedWhy };
  const { modifiedCount } = await SignatureModel.updateOne(
    { ownerId, _id, version: doc.version },
    { $set: { status, signers, trail, ...made, sealedFileId, sealedHash, sealedAt }, $inc: { version: 1 } },
  );
  return { isDone: modifiedCount > 0, result };
}

/** Somebody may have time left to sign it, also where the time of others is over. */
export const isRunning = ({ status }: Pick<SignatureDoc, "status">): boolean =>
  isBeingSigned(status) || status === "expired";

/** Who signs next: one after the other where it is in order, else all. */
export function askable({ signers, isInOrder }: Pick<SignatureDoc, "signers" | "isInOrder">): SignerDoc[] {
  const unsigned = signers.filter(({ signedAt }) => signedAt === null);
  return isInOrder ? unsigned.slice(0, 1) : unsigned;
}
