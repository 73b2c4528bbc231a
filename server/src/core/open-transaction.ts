// Whether what runs here is part of a transaction, and so may hold what others wait for.
import { AsyncLocalStorage } from "node:async_hooks";

interface Open {
  afterwards: (() => Promise<void>)[];
}

const open = new AsyncLocalStorage<Open>();

export const isInTransaction = (): boolean => open.getStore() !== undefined;

/** Runs `commit`, which tries `attempt` until one holds; what the last attempt left for afterwards is done then. */
export async function asTransaction<Result>(
  commit: (attempt: (work: () => Promise<Result>) => Promise<Result>) => Promise<Result>,
): Promise<Result> {
  const transaction: Open = { afterwards: [] };
  const attempt = (work: () => Promise<Result>) => {
    transaction.afterwards = [];
    return work();
  };
  const result = await open.run(transaction, () => commit(attempt));
  // What was stored is stored, whatever becomes of this.
  for (const each of transaction.afterwards) await each().catch(() => undefined);
  return result;
}

/** At once, or where a transaction is open once it holds: for what would find nothing before, and is found again later. */
export async function afterCommit(work: () => Promise<void>): Promise<void> {
  const transaction = open.getStore();
  if (transaction) transaction.afterwards.push(work);
  else await work();
}
