import { can } from "@app/shared/access";
import type { Price } from "@app/shared/prices";
import { IconChecklist } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { LinkButton, TextLink } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { priceColumns, PricePhoneRow } from "./price-columns.tsx";
import { PriceMenu } from "./price-menu.tsx";
import { type PricesSearch, withoutPrice } from "./prices-search.ts";
import { pricesInput } from "./prices-input.ts";
import "./prices.css";

const NewPriceDialog = later(async () => (await import("./price-dialog.tsx")).NewPriceDialog);
const PriceDialog = later(async () => (await import("./price-dialog.tsx")).PriceDialog);

/** What the practice charges for, from which invoices are written. */
export function PricesTab({ search }: { search: PricesSearch }) {
  const formats = useFormats();
  const navigate = useNavigate();
  const mayChange = can(useCurrentUser(), "payments.manage");
  const list = withoutPrice(search);
  const show = (next: PricesSearch) => void navigate({ to: "/payment-settings", search: next });
  const query = api.prices.list.useQuery(pricesInput(list), { placeholderData: keepPreviousData });
  const charging = api.invoices.settings.useQuery().data;
  const tools = (price: Price) => <PriceMenu price={price} onEdit={() => show({ ...list, price: price.id })} />;
  const drawing = { formats, list: mayChange ? list : null };
  const open = ({ id, isArchived }: Price) => {
    if (mayChange && !isArchived) show({ ...list, price: id });
  };
  return (
    <>
      <p className="prices-which">
        <WhichPrices list={list} />
      </p>
      <PagedTable
        label="Price list"
        columns={priceColumns({ ...drawing, hasVat: charging?.isVatRegistered ?? false, tools })}
        list={query.data}
        page={search.page ?? 1}
        words={["price", "prices"]}
        onPage={(page) => show({ ...list, page })}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={open}
        failure={listFailure(query)}
        empty={<NoPrices isArchive={search.status === "archived"} mayChange={mayChange} />}
        phoneRow={(price) => <PricePhoneRow price={price} {...drawing} tools={tools(price)} />}
      />
      {mayChange && charging && search.add && <NewPriceDialog charging={charging} onClose={() => show(list)} />}
      {mayChange && charging && search.price && (
        <PriceDialog key={search.price} id={search.price} charging={charging} onClose={() => show(list)} />
      )}
    </>
  );
}

/** Which of the two lists is shown, and the way to the other. */
function WhichPrices({ list: { status } }: { list: PricesSearch }) {
  if (status === "archived")
    return (
      <>
        Archived prices.{" "}
        <TextLink to="/payment-settings" search={{ tab: "prices" }} inherit underline="always">
          Show those in use
        </TextLink>
      </>
    );
  return (
    <>
      Invoices are written from these. What was invoiced keeps the price that it had.{" "}
      <TextLink to="/payment-settings" search={{ tab: "prices", status: "archived" }} inherit underline="always">
        Show archived prices
      </TextLink>
    </>
  );
}

function NoPrices({ isArchive, mayChange }: { isArchive: boolean; mayChange: boolean }) {
  const icon = <IconChecklist size={24} stroke={1.7} />;
  if (isArchive)
    return (
      <EmptyState icon={icon} title="No price is in the archive">
        Prices that you archive are kept here, and can be brought back.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title="No prices yet"
      actions={
        mayChange && (
          <LinkButton to="/payment-settings" search={{ tab: "prices", add: true }}>
            Add a price
          </LinkButton>
        )
      }
    >
      Enter what you charge for an assessment meeting, a session or a document once. Invoices are then written with a
      click for each line.
    </EmptyState>
  );
}
