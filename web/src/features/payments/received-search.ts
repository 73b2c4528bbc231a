import type { ListSearch } from "../../core/list-search.ts";
import { listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The list of all payments as it stands in the address. */
export interface ReceivedSearch extends ListSearch {
  tab: "received";
  /** As typed: the entry does without the names of states and ways to pay, by which `knownReceived` goes. */
  state?: string;
  method?: string;
  look?: "needed";
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export const parseReceivedSearch = (raw: Record<string, unknown>): ReceivedSearch => ({
  tab: "received",
  ...searchedFor(raw),
  ...textsOf(raw, ["state", "method"]),
  ...optionOf(raw, "look", ["needed"]),
  ...pageSearch(raw),
  ...listOf(raw, "hide"),
});
