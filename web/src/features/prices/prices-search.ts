import { flagOf, optionOf, pageSearch, textsOf } from "../../core/search.ts";

/** The price list as it stands in the address of the page Payments. */
export interface PricesSearch {
  tab: "prices";
  status?: "archived";
  page?: number;
  /** The price that is being changed. */
  price?: string;
  /** A price is being added. */
  add?: true;
}

export const parsePricesSearch = (raw: Record<string, unknown>): PricesSearch => ({
  tab: "prices",
  ...optionOf(raw, "status", ["archived"]),
  ...pageSearch(raw),
  ...textsOf(raw, ["price"]),
  ...flagOf(raw, "add"),
});

/** The list alone, with no dialog over it. */
export const withoutPrice = ({ price: _price, add: _add, ...list }: PricesSearch): PricesSearch => list;
