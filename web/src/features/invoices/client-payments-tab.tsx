import { can } from "@app/shared/access";
import type { CaseInvoices, OwingPayer } from "@app/shared/case-invoices";
import { isPaidFor } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import { payerKeyOf } from "@app/shared/payer-shares";
import type { Payment } from "@app/shared/payments";
import type { Region } from "@app/shared/regions";
import { Button } from "@mantine/core";
import { IconCoins, IconFileText, IconPlus, IconScale } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { Section } from "../../ui/section.tsx";
import { OwedNow } from "./owed-now.tsx";
import { PayerSection } from "./payer-section.tsx";
import "./invoices.css";

const AidSwitchDialog = later(async () => (await import("./aid-switch-dialog.tsx")).AidSwitchDialog);
const InvoiceDialog = later(async () => (await import("./invoice-dialog.tsx")).InvoiceDialog);
const NewInvoiceDialog = later(async () => (await import("./new-invoice-dialog.tsx")).NewInvoiceDialog);
const SplitDialog = later(async () => (await import("./split-dialog.tsx")).SplitDialog);

type Adding = "invoice" | "split" | "aid";

interface Props {
  theCase: Case;
  /** The invoice that is open. */
  open: string | undefined;
  onOpen: (invoiceId: string | undefined) => void;
}

/** What is owed in a case now, by whom, and what was paid: each payer by themselves. */
export function ClientPaymentsTab(props: Props) {
  const mayRead = can(useCurrentUser(), "payments.read");
  return mayRead ? <CaseMoney {...props} /> : <NotShown />;
}

const NotShown = () => (
  <EmptyState icon={<IconFileText size={24} stroke={1.7} />} title="You do not see payments here">
    Invoices and payments are shown to those who work with them. If you are to do so too, ask the owner of the practice
    for the permission.
  </EmptyState>
);

function CaseMoney({ theCase, open, onOpen }: Props) {
  const user = useCurrentUser();
  const mayChange = can(user, "payments.manage");
  const maySwitch = mayChange && can(user, "clients.write") && mayGetAid(theCase, user.region);
  const [adding, setAdding] = useState<Adding | null>(null);
  const caseId = theCase.id;
  const invoices = api.invoices.ofCase.useQuery({ caseId });
  const payments = api.payments.ofCase.useQuery({ caseId });
  return (
    <>
      <Loaded query={invoices} failureTitle="The invoices of this case could not be read">
        {(found) =>
          found.items.length === 0 ? (
            <NoInvoices mayChange={mayChange} onAdd={setAdding} />
          ) : (
            <Section title="Owed now" action={mayChange && <Adders onAdd={setAdding} maySwitch={maySwitch} />}>
              <Loaded query={payments} failureTitle="The payments of this case could not be read">
                {(paid) => <Money found={found} paid={paid} theCase={theCase} onOpen={onOpen} />}
              </Loaded>
            </Section>
          )
        }
      </Loaded>
      {adding === "invoice" && (
        <NewInvoiceDialog
          caseId={caseId}
          onClose={() => setAdding(null)}
          onMade={({ id }) => {
            setAdding(null);
            onOpen(id);
          }}
        />
      )}
      {adding === "aid" && <AidSwitchDialog theCase={theCase} onClose={() => setAdding(null)} />}
      {adding === "split" && <SplitDialog caseId={caseId} onClose={() => setAdding(null)} />}
      {open && open !== "new" && <InvoiceDialog key={open} id={open} onClose={() => onOpen(undefined)} />}
    </>
  );
}

interface MoneyProps {
  found: CaseInvoices;
  paid: { items: readonly Payment[]; isComplete: boolean };
  theCase: Case;
  onOpen: (invoiceId: string) => void;
}

function Money({ found: { items, payers, isComplete }, paid, theCase, onOpen }: MoneyProps) {
  const ofPayer = ({ payerKey, currency }: OwingPayer) =>
    items.filter((invoice) => payerKeyOf(invoice.payer) === payerKey && invoice.currency === currency);
  return (
    <>
      <OwedNow payers={payers} />
      {payers.map((owing) => (
        <PayerSection
          key={`${owing.payerKey} ${owing.currency}`}
          owing={owing}
          invoices={ofPayer(owing)}
          payments={paid.items}
          parties={theCase.parties}
          onOpen={onOpen}
        />
      ))}
      {!isComplete && (
        <p className="quiet-text">
          The newest {items.length} invoices are listed. What is owed counts all of them; the rest is in the list under
          Payments.
        </p>
      )}
      {!paid.isComplete && (
        <p className="quiet-text">
          The newest {paid.items.length} payments are listed; the others stand in their invoices.
        </p>
      )}
    </>
  );
}

/** Whether legal aid may begin to pay for somebody in it. */
const mayGetAid = (theCase: Case, region: Region): boolean =>
  isPaidFor({ ...theCase, region }) &&
  theCase.parties.some(({ funding, leftAt }) => funding.type !== "legal_aid" && leftAt === null);

interface AddersProps {
  onAdd: (what: Adding) => void;
}

const Adders = ({ onAdd, maySwitch }: AddersProps & { maySwitch: boolean }) => (
  <span className="invoice-adders">
    {maySwitch && (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconScale size={14} stroke={1.7} aria-hidden />}
        onClick={() => onAdd("aid")}
      >
        Switch to legal aid
      </Button>
    )}
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCoins size={14} stroke={1.7} aria-hidden />}
      onClick={() => onAdd("split")}
    >
      Split between payers
    </Button>
    <Button size="xs" leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />} onClick={() => onAdd("invoice")}>
      New invoice
    </Button>
  </span>
);

const NoInvoices = ({ mayChange, onAdd }: AddersProps & { mayChange: boolean }) => (
  <EmptyState
    icon={<IconFileText size={24} stroke={1.7} />}
    title="No invoices in this case yet"
    actions={
      mayChange && (
        <>
          <Button onClick={() => onAdd("invoice")}>New invoice</Button>
          <Button variant="default" onClick={() => onAdd("split")}>
            Split between payers
          </Button>
        </>
      )
    }
  >
    Each payer gets an invoice of their own: no payer sees what another one pays, or that they pay at all.
  </EmptyState>
);
