import { BANK_LINE_STATES, type BankLineState } from "@app/shared/bank-columns";
import { optionOf, pageSearch, textsOf } from "../../core/search.ts";

/** The tab Bank statements: all of them, or one that is open, with the lines that are shown of it. */
export interface BankSearch {
  tab: "bank";
  statement?: string;
  lines?: BankLineState;
  page?: number;
}

export const parseBankSearch = (raw: Record<string, unknown>): BankSearch => ({
  tab: "bank",
  ...textsOf(raw, ["statement"]),
  ...optionOf(raw, "lines", BANK_LINE_STATES),
  ...pageSearch(raw),
});

/** What the server is asked for of an open statement. */
export const linesInput = ({ statement = "", lines = "open", page = 1 }: BankSearch) => ({
  id: statement,
  state: lines,
  page,
});
