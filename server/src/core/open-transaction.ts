// Whether what runs here is part of a transaction, and so may hold what others wait for.
import { AsyncLocalStorage } from "node:async_hooks";

const open = new AsyncLocalStorage<true>();

export const isInTransaction = (): boolean => open.getStore() ?? false;

export const asTransaction = <Result>(work: () => Promise<Result>): Promise<Result> => open.run(true, work);
