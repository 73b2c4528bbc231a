import { can } from "@app/shared/access";
import type { CurrentUser } from "@app/shared/users";
import { Button, Tabs } from "@mantine/core";
import { IconCreditCard, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ExportButton } from "../../core/list-page.tsx";
import { exportAddress } from "../../core/list-search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { later } from "../../ui/later.tsx";
import { TabList } from "../../ui/tab-list.tsx";
import { ReceivedTab } from "../payments/received-tab.tsx";
import { PricesTab } from "../prices/prices-tab.tsx";
import { CardsTab } from "./cards-tab.tsx";
import { InvoicesTab } from "./invoices-tab.tsx";
import { type PaymentsSearch, type PaymentsTab, withoutInvoice } from "./payments-search.ts";
import { invoicesInput } from "./invoices-input.ts";
import { SettingsTab } from "./settings-tab.tsx";
import "./invoices.css";

const AccountsExportDialog = later(async () => (await import("./accounts-export-dialog.tsx")).AccountsExportDialog);
const BankTab = later(async () => (await import("../bank-statements/bank-tab.tsx")).BankTab);

const TAB_NAMES: Record<PaymentsTab, string> = {
  invoices: "Invoices",
  received: "Received",
  bank: "Bank statements",
  prices: "Price list",
  settings: "Invoice settings",
  cards: "Card payments",
};
const TABS: readonly PaymentsTab[] = ["invoices", "received", "bank", "prices", "settings", "cards"];

/** What came into the account is of the whole practice. */
const mayImport = (user: CurrentUser): boolean =>
  can(user, "clients.read") && can(user, "payments.manage") && !can(user, "assigned_only");

function mayOpen(user: CurrentUser, tab: PaymentsTab): boolean {
  if (!can(user, "payments.read")) return false;
  if (tab === "bank") return mayImport(user);
  return (tab !== "invoices" && tab !== "received") || can(user, "clients.read");
}

/** All money of the practice: what is owed, what it charges, and how it is paid. */
export function PaymentsPage({ search }: { search: PaymentsSearch }) {
  useTitle("Payments");
  const user = useCurrentUser();
  const navigate = useNavigate();
  const tabs = TABS.filter((tab) => mayOpen(user, tab));
  const shown = tabs.find((tab) => tab === (search.tab ?? "invoices")) ?? tabs[0];
  const open = (value: string | null) => {
    const tab = tabs.find((known) => known === value);
    if (tab) void navigate({ to: "/payment-settings", search: tab === "invoices" ? {} : { tab } });
  };
  if (!shown)
    return (
      <>
        <PageHead title="Payments" />
        <NoPayments />
      </>
    );
  return (
    <>
      <PageHead title="Payments" actions={<PaymentsActions search={search} shown={shown} />} />
      <Tabs value={shown} onChange={open} keepMounted={false}>
        <TabList label="Parts of the payments" active={shown}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {TAB_NAMES[tab]}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={shown}>{contentOf(search, shown)}</Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Of the address what is this tab's; another may be named there than may be opened. */
const invoicesIn = (search: PaymentsSearch) => (search.tab === undefined ? search : {});
const pricesIn = (search: PaymentsSearch) => (search.tab === "prices" ? search : ({ tab: "prices" } as const));

function contentOf(search: PaymentsSearch, shown: PaymentsTab): ReactNode {
  switch (shown) {
    case "invoices":
      return <InvoicesTab search={invoicesIn(search)} />;
    case "received":
      return <ReceivedTab search={search.tab === "received" ? search : { tab: "received" }} />;
    case "bank":
      return <BankTab search={search.tab === "bank" ? search : { tab: "bank" }} />;
    case "prices":
      return <PricesTab search={pricesIn(search)} />;
    case "settings":
      return <SettingsTab />;
    case "cards":
      return <CardsTab />;
  }
}

const plus = <IconPlus size={16} stroke={1.7} aria-hidden />;

/** What can be added to the open tab. */
function PaymentsActions({ search, shown }: { search: PaymentsSearch; shown: PaymentsTab }) {
  const user = useCurrentUser();
  const mayChange = can(user, "payments.manage");
  if (shown === "prices")
    return (
      mayChange && (
        <LinkButton to="/payment-settings" search={{ ...pricesIn(search), add: true }} leftSection={plus}>
          New price
        </LinkButton>
      )
    );
  if (shown !== "invoices") return null;
  const list = withoutInvoice(invoicesIn(search));
  const { page: _page, ...filter } = invoicesInput(list);
  return (
    <>
      <ExportButton address={exportAddress("/export/invoices.csv", filter)} />
      <AccountsExportButton />
      {mayImport(user) && (
        <LinkButton variant="default" to="/payment-settings" search={{ tab: "bank" }}>
          Import a bank statement
        </LinkButton>
      )}
      {mayChange && (
        <LinkButton to="/payment-settings" search={{ ...list, add: true }} leftSection={plus}>
          New invoice
        </LinkButton>
      )}
    </>
  );
}

function AccountsExportButton() {
  const [isOpen, setIsOpen] = useState(false);
  if (!can(useCurrentUser(), "data.export")) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Export for accounts
      </Button>
      {isOpen && <AccountsExportDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

const NoPayments = () => (
  <EmptyState
    icon={<IconCreditCard size={24} stroke={1.7} />}
    title="You do not see payments here"
    actions={<LinkButton to="/dashboard">Open the dashboard</LinkButton>}
  >
    Invoices and payments are shown to those who work with them. If you are to do so too, ask the owner of the practice
    for the permission.
  </EmptyState>
);
