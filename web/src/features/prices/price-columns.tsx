import { moneyText } from "@app/shared/answer-texts";
import { type Price, PRICE_KIND_NAMES, PRICE_UNIT_NAMES } from "@app/shared/prices";
import type { ReactNode } from "react";
import type { Formats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import type { PricesSearch } from "./prices-search.ts";
import { rateText } from "./vat-rate.ts";

interface Drawing {
  formats: Formats;
  hasVat: boolean;
  /** The list that stays behind the open price; null for whoever only looks. */
  list: PricesSearch | null;
  tools: (price: Price) => ReactNode;
}

export function priceColumns({ formats, hasVat, list, tools }: Drawing): Column<Price>[] {
  const columns: Column<Price>[] = [
    { key: "name", header: "Name", cell: (price) => <PriceName price={price} list={list} /> },
    { key: "code", header: "Code", width: 110, cell: ({ code }) => code },
    { key: "kind", header: "Kind", width: 104, cell: ({ kind }) => PRICE_KIND_NAMES[kind] },
    { key: "per", header: "Charged", width: 112, cell: ({ per }) => PRICE_UNIT_NAMES[per] },
    { key: "validity", header: "In force", width: 214, isTabular: true, cell: (price) => validityOf(price, formats) },
    {
      key: "amount",
      header: hasVat ? "Without VAT" : "Price",
      width: 108,
      align: "right",
      isTabular: true,
      cell: ({ amountMinor, currency }) => moneyText(amountMinor, currency),
    },
  ];
  const vat: Column<Price> = {
    key: "vat",
    header: "VAT",
    width: 60,
    align: "right",
    isTabular: true,
    cell: ({ vatRateBp }) => rateText(vatRateBp),
  };
  const more: Column<Price>[] = list ? [{ key: "tools", header: "More", width: 52, cell: tools }] : [];
  return [...columns, ...(hasVat ? [vat] : []), ...more];
}

function PriceName({ price, list }: { price: Price; list: PricesSearch | null }) {
  if (!list || price.isArchived) return <strong className="price-name">{price.name}</strong>;
  return (
    <TextLink to="/payment-settings" search={{ ...list, price: price.id }} c="inherit" fw={500} fz="inherit">
      {price.name}
    </TextLink>
  );
}

function validityOf({ validFrom, validTo, isInForce, isArchived }: Price, formats: Formats): ReactNode {
  if (isArchived) return "Archived";
  if (validFrom === "" && validTo === "") return "Always";
  const days = [validFrom && `from ${formats.calendarDay(validFrom)}`, validTo && `to ${formats.calendarDay(validTo)}`];
  const words = days.filter(Boolean).join(" ");
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return isInForce ? text : <Chip tone="outline">{text}</Chip>;
}

interface PhoneProps extends Pick<Drawing, "formats" | "list"> {
  price: Price;
  tools: ReactNode;
}

/** Two lines: what it is, then how it is charged and what it costs. */
export const PricePhoneRow = ({ price, formats, list, tools }: PhoneProps) => (
  <>
    <span className="price-phone-row">
      <PriceName price={price} list={list} />
      {list && tools}
    </span>
    <span className="price-phone-row">
      <span>
        {price.code}, {PRICE_UNIT_NAMES[price.per].toLowerCase()}
        {!price.isInForce && <> {validityOf(price, formats)}</>}
      </span>
      <span className="tabular">{moneyText(price.amountMinor, price.currency)}</span>
    </span>
  </>
);
