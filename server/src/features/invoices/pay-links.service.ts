// Where an invoice is paid by card, where that can be done: the feature that takes payments stands above this one, and
// says so here.
import type { Scope } from "../../core/trpc.ts";

type PayLink = (scope: Scope, invoiceId: string) => Promise<string | null>;

let find: PayLink | undefined;

/** Called once. */
export const definePayLink = (payLink: PayLink): void => void (find = payLink);

export const payLinkOf = async (scope: Scope, invoiceId: string): Promise<string | null> =>
  (await find?.(scope, invoiceId)) ?? null;
