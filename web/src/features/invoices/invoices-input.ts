import type { InvoicesListSearch } from "./payments-search.ts";

/** What the server is asked for. */
export const invoicesInput = ({ search, state, payer, due, page }: InvoicesListSearch) => ({
  ...(search === undefined ? {} : { search }),
  ...(state === undefined ? {} : { state }),
  ...(payer === undefined ? {} : { payerKind: payer }),
  ...(page === undefined ? {} : { page }),
  isOverdue: due === "overdue",
});
