// Whether the book is right in itself: reads it from its first entry on.
import { isBalanced, PAYER_ACCOUNTS, signedMinor } from "@app/shared/ledger";
import { LedgerBalanceModel, type LedgerEntryDoc, LedgerEntryModel } from "./ledger.model.ts";

const BATCH_SIZE = 500;

export interface BookCheck {
  /** What is wrong, in words. */
  problems: string[];
  /** What the lines come to, by currency, account and payer. */
  sums: ReadonlyMap<string, number>;
}

/** How a sum is found: the payer is empty for the whole account. */
export const sumKey = (currency: string, account: string, payerKey: string): string =>
  [currency, account, payerKey].join(":");

export async function checkBook(ownerId: string): Promise<BookCheck> {
  const problems: string[] = [];
  const sums = new Map<string, number>();
  const entries = LedgerEntryModel.find({ ownerId }).sort({ _id: 1 }).lean().cursor({ batchSize: BATCH_SIZE });
  for await (const entry of entries) {
    if (!isBalanced(entry.lines)) problems.push(`Entry ${entry.key} does not balance.`);
    addUp(sums, entry);
  }
  const kept = await LedgerBalanceModel.find({ ownerId }).lean();
  for (const { currency, account, payerKey, balanceMinor } of kept) {
    const key = sumKey(currency, account, payerKey);
    if ((sums.get(key) ?? 0) !== balanceMinor)
      problems.push(`The balance of ${key} is kept as ${balanceMinor}, and its lines come to ${sums.get(key) ?? 0}.`);
  }
  const known = new Set(kept.map(({ currency, account, payerKey }) => sumKey(currency, account, payerKey)));
  for (const [key, sum] of sums)
    if (sum !== 0 && !known.has(key)) problems.push(`No balance of ${key} is kept, and its lines come to ${sum}.`);
  return { problems, sums };
}

function addUp(sums: Map<string, number>, { currency, payerKey, lines }: LedgerEntryDoc): void {
  for (const line of lines)
    for (const row of PAYER_ACCOUNTS.includes(line.account) ? ["", payerKey] : [""]) {
      const key = sumKey(currency, line.account, row);
      sums.set(key, (sums.get(key) ?? 0) + signedMinor(line));
    }
}
