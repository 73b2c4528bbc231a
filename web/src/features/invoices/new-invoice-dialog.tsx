import type { Invoice, InvoiceRow } from "@app/shared/invoices";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CaseSelect } from "../cases/case-select.tsx";
import { EditInvoiceForm, NewInvoiceForm } from "./invoice-form.tsx";
import { invoiceNamed } from "./invoice-words.ts";
import { useAids } from "./use-aids.ts";
import "./invoices.css";

interface Props {
  /** Chosen first where it is not given. */
  caseId?: string;
  onClose: () => void;
  onMade: (invoice: Invoice) => void;
}

/** Writes an invoice for one payer of a case. It is a draft until it is issued. */
export function NewInvoiceDialog({ caseId: given, onClose, onMade }: Props) {
  const [chosen, setChosen] = useState(given ?? "");
  return (
    <Dialog isOpen onClose={onClose} title="New invoice" size="wide">
      {given === undefined && (
        <div className="invoice-case">
          <CaseSelect label="Case" value={chosen} onChange={setChosen} />
          {chosen === "" && <p className="quiet-text">Who pays is chosen from those who belong to the case.</p>}
        </div>
      )}
      {chosen !== "" && <NewForm key={chosen} caseId={chosen} onMade={onMade} />}
    </Dialog>
  );
}

function NewForm({ caseId, onMade }: { caseId: string; onMade: (invoice: Invoice) => void }) {
  const aids = useAids(caseId);
  return (
    <Loaded query={aids} failureTitle="What an invoice is written with could not be read">
      {(data) => <NewInvoiceForm aids={data} onSaved={onMade} />}
    </Loaded>
  );
}

export function EditInvoiceDialog({ row, onClose }: { row: InvoiceRow; onClose: () => void }) {
  const invoice = api.invoices.get.useQuery({ id: row.id });
  const aids = useAids(row.caseId ?? "", row);
  return (
    <Dialog isOpen onClose={onClose} title={`Change ${invoiceNamed(row)}`} size="wide">
      <Loaded query={aids} failureTitle="What an invoice is written with could not be read">
        {(data) => (
          <Loaded query={invoice} failureTitle="The invoice could not be read">
            {(stored) => <EditInvoiceForm invoice={stored} aids={data} onSaved={onClose} />}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  );
}
