// Whether the book is right in itself: reads it from its first entry on.
import { isBalanced, LEDGER_ACCOUNT_NAMES, LEDGER_ACCOUNTS, PAYER_ACCOUNTS, signedMinor } from "@app/shared/ledger";
import { plainAmount } from "../../core/plain-amount.ts";
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

/** The same in words, with whoever pays by their name where it is known. */
export function sumWords(key: string, nameOf: (payerKey: string) => string = (payerKey) => payerKey): string {
  const [currency = "", account = "", ...rest] = key.split(":");
  const payerKey = rest.join(":");
  const name = LEDGER_ACCOUNTS.find((known) => known === account);
  const of = payerKey === "" ? "" : `, ${nameOf(payerKey)}`;
  return `“${name ? LEDGER_ACCOUNT_NAMES[name] : account}” in ${currency}${of}`;
}

export const amountIn = (key: string, minor: number): string => plainAmount(minor, key.split(":")[0] ?? "");

interface Looking {
  /** Told from time to time how many entries were read. */
  onRead?: (count: number) => Promise<void>;
  nameOf?: (payerKey: string) => string;
}

export async function checkBook(ownerId: string, { onRead, nameOf }: Looking): Promise<BookCheck> {
  let count = 0;
  const problems: string[] = [];
  const sums = new Map<string, number>();
  const entries = LedgerEntryModel.find({ ownerId }).sort({ _id: 1 }).lean().cursor({ batchSize: BATCH_SIZE });
  for await (const entry of entries) {
    if (!isBalanced(entry.lines))
      problems.push(`The entry of ${entry.day} (${entry.key}) does not balance: its debits and credits differ.`);
    addUp(sums, entry);
    count += 1;
    if (count % BATCH_SIZE === 0) await onRead?.(count);
  }
  const kept = await LedgerBalanceModel.find({ ownerId }).lean();
  for (const { currency, account, payerKey, balanceMinor } of kept) {
    const key = sumKey(currency, account, payerKey);
    if ((sums.get(key) ?? 0) !== balanceMinor)
      problems.push(
        `${sumWords(key, nameOf)}: the balance is kept as ${amountIn(key, balanceMinor)}, and the entries come to ${amountIn(key, sums.get(key) ?? 0)}.`,
      );
  }
  const known = new Set(kept.map(({ currency, account, payerKey }) => sumKey(currency, account, payerKey)));
  for (const [key, sum] of sums)
    if (sum !== 0 && !known.has(key))
      problems.push(`${sumWords(key, nameOf)}: no balance is kept, and the entries come to ${amountIn(key, sum)}.`);
  return { problems, sums };
}

function addUp(sums: Map<string, number>, { currency, payerKey, lines }: LedgerEntryDoc): void {
  for (const line of lines)
    for (const row of PAYER_ACCOUNTS.includes(line.account) ? ["", payerKey] : [""]) {
      const key = sumKey(currency, line.account, row);
      sums.set(key, (sums.get(key) ?? 0) + signedMinor(line));
    }
}
