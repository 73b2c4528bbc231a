import type { PricesSearch } from "./prices-search.ts";

/** What the server is asked for. */
export const pricesInput = ({ status, page = 1 }: PricesSearch) => ({ page, isArchived: status === "archived" });
