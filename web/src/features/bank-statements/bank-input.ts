import { BANK_LINE_STATES, type BankLineState } from "@app/shared/bank-columns";
import type { BankSearch } from "./bank-search.ts";

/** Those that are still to be decided, unless others are asked for. */
export const linesShown = ({ lines }: BankSearch): BankLineState =>
  BANK_LINE_STATES.find((known) => known === lines) ?? "open";

/** What the server is asked for of an open statement. */
export const linesInput = (search: BankSearch) => ({
  id: search.statement ?? "",
  state: linesShown(search),
  page: search.page ?? 1,
});
