// All money of a practice, in one book that is only ever written on.
import {
  isBalanced,
  type LedgerAccount,
  type LedgerKind,
  type LedgerLine,
  PAYER_ACCOUNTS,
  signedMinor,
} from "@app/shared/ledger";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { assertInTransaction } from "../../core/database.ts";
import { type LedgerBalanceDoc, LedgerBalanceModel, type LedgerEntryDoc, LedgerEntryModel } from "./ledger.model.ts";

export type NewEntry = Omit<LedgerEntryDoc, "_id" | "ownerId" | "at">;

/**
 * Enters something in the transaction of what it tells of. False where the same was entered before, and nothing is
 * entered then. Throws where it does not balance.
 */
export async function post(ownerId: string, entry: NewEntry): Promise<boolean> {
  assertInTransaction();
  if (!isBalanced(entry.lines) || entry.lines.some(({ amountMinor }) => !Number.isSafeInteger(amountMinor)))
    throw new Error(`the entry ${entry.key} does not balance`);
  if (await isPosted(ownerId, entry.key)) return false;
  await LedgerEntryModel.insertMany([{ ...entry, ownerId, at: now() }]);
  for (const [account, changeMinor] of changesOf(entry.lines)) await add(ownerId, { entry, account, changeMinor });
  return true;
}

export const isPosted = async (ownerId: string, key: string): Promise<boolean> =>
  (await LedgerEntryModel.exists({ ownerId, key })) !== null;

/** By account, in one order, so that two who write the same meet at the first. */
function changesOf(lines: readonly LedgerLine[]): [LedgerAccount, number][] {
  const changes = new Map<LedgerAccount, number>();
  for (const line of lines) changes.set(line.account, (changes.get(line.account) ?? 0) + signedMinor(line));
  return [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

interface Change {
  entry: Pick<NewEntry, "currency" | "payerKey">;
  account: LedgerAccount;
  changeMinor: number;
}

async function add(ownerId: string, { entry: { currency, payerKey }, account, changeMinor }: Change): Promise<void> {
  const rows = PAYER_ACCOUNTS.includes(account) ? ["", payerKey] : [""];
  for (const row of rows)
    await LedgerBalanceModel.updateOne(
      { ownerId, _id: balanceId(ownerId, { currency, account, payerKey: row }) },
      { $inc: { balanceMinor: changeMinor }, $setOnInsert: { currency, account, payerKey: row } },
      { upsert: true },
    );
}

interface Row {
  currency: string;
  account: LedgerAccount;
  payerKey: string;
}

const balanceId = (ownerId: string, { currency, account, payerKey }: Row): string =>
  [ownerId, currency, account, payerKey].join(":");

/** Debits above nothing, credits below. */
export async function payerBalance(ownerId: string, row: Row): Promise<number> {
  const doc = await LedgerBalanceModel.findOne({ ownerId, _id: balanceId(ownerId, row) }).lean();
  return doc?.balanceMinor ?? 0;
}

/** What each account of a currency comes to, as far as something was entered in it. */
export async function balances(
  ownerId: string,
  currency: string,
): Promise<Pick<LedgerBalanceDoc, "account" | "balanceMinor">[]> {
  const docs = await LedgerBalanceModel.find({ ownerId, payerKey: "", currency }).sort({ _id: 1 }).lean();
  return docs.map(({ account, balanceMinor }) => ({ account, balanceMinor }));
}

/** What was entered under this key; null where nothing was. */
export const findEntry = (ownerId: string, key: string): Promise<LedgerEntryDoc | null> =>
  LedgerEntryModel.findOne({ ownerId, key }).lean();

interface Wanted {
  from: string;
  to: string;
  kinds?: readonly LedgerKind[];
  /** Of all cases where left out. */
  caseIds?: readonly string[];
}

const BATCH_SIZE = 500;

/** What was entered for these days, in their order. */
export function entriesBetween(ownerId: string, { from, to, kinds, caseIds }: Wanted): AsyncIterable<LedgerEntryDoc> {
  return LedgerEntryModel.find({
    ownerId,
    day: mongoose.trusted({ $gte: from, $lte: to }),
    ...(kinds ? { kind: mongoose.trusted({ $in: [...kinds] }) } : {}),
    ...(caseIds ? { caseId: mongoose.trusted({ $in: [...caseIds] }) } : {}),
  })
    .sort({ day: 1, _id: 1 })
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
}

export const countEntries = (ownerId: string): Promise<number> => LedgerEntryModel.countDocuments({ ownerId });

/** The practices in whose book anything stands. */
export const ownersWithBooks = (): Promise<string[]> =>
  LedgerBalanceModel.distinct("ownerId").setOptions({ anyOwner: true });
/** Of these invoices, those for which something of this kind was entered. */
export const invoicesOfEntries = (
  ownerId: string,
  { kind, invoiceIds }: { kind: LedgerKind; invoiceIds: readonly string[] },
): Promise<(string | null)[]> =>
  LedgerEntryModel.distinct("invoiceId", { ownerId, invoiceId: mongoose.trusted({ $in: [...invoiceIds] }), kind });
