// Which lines of the bank were recorded, by a hash of what stands in them.
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { assertInTransaction } from "../../core/database.ts";
import type { ReadLine } from "./bank-line.ts";
import { BankLineModel, RecordedLineModel } from "./bank-statements.model.ts";

/**
 * The same for the same line in whatever file: the day, the amount and the words, and which one of those it is where a
 * day has several that are alike.
 */
export function fingerprintsOf(lines: readonly ReadLine[]): string[] {
  const alike = new Map<string, number>();
  return lines.map((line) => {
    const words = `${line.payerName} ${line.text}`.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
    const key = [line.account, line.on, line.currency, line.amountMinor, words].join(":");
    const before = alike.get(key) ?? 0;
    alike.set(key, before + 1);
    return keyedHash(`bank line:${key}:${before}`);
  });
}

const idOf = (ownerId: string, fingerprint: string): string => `${ownerId}:${fingerprint}`;

/** By fingerprint, the payments that these became. */
export async function recordedAmong(ownerId: string, fingerprints: readonly string[]): Promise<Map<string, string>> {
  const ids = mongoose.trusted({ $in: fingerprints.map((one) => idOf(ownerId, one)) });
  const docs = await RecordedLineModel.find({ ownerId, _id: ids }).lean();
  return new Map(docs.map(({ _id, paymentId }) => [_id.slice(ownerId.length + 1), paymentId]));
}

export const isFromStatement = async (ownerId: string, paymentIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    await RecordedLineModel.distinct("paymentId", { ownerId, paymentId: mongoose.trusted({ $in: [...paymentIds] }) }),
  );

/** In the transaction that records the payment: a duplicate key where another was faster, and nothing is recorded then. */
export async function noteRecorded(ownerId: string, fingerprint: string, paymentId: string): Promise<void> {
  assertInTransaction();
  await RecordedLineModel.create([{ _id: idOf(ownerId, fingerprint), ownerId, paymentId, at: now() }]);
  await showRecorded(ownerId, fingerprint, paymentId);
}

/** In every statement that has it. */
export async function showRecorded(ownerId: string, fingerprint: string, paymentId: string): Promise<void> {
  await BankLineModel.updateMany({ ownerId, fingerprint }, { $set: { paymentId } });
}
