import { pageSearch, textsOf } from "../../core/search.ts";

/** The tab Bank statements: all of them, or one that is open, with the lines that are shown of it. */
export interface BankSearch {
  tab: "bank";
  statement?: string;
  /** As typed: `linesShown` knows which there are. */
  lines?: string;
  page?: number;
}

export const parseBankSearch = (raw: Record<string, unknown>): BankSearch => ({
  tab: "bank",
  ...textsOf(raw, ["statement", "lines"]),
  ...pageSearch(raw),
});
