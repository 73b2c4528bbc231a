import type { Lead } from "@app/shared/leads";
import { api } from "../../core/api.ts";
import { isUnconfirmed, messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useLeadChanged } from "./use-lead-steps.ts";

interface Props {
  lead: Lead;
  onClose: () => void;
  onErased: () => void;
}

export function EraseLeadDialog({ lead, onClose, onErased }: Props) {
  const changed = useLeadChanged();
  const erase = api.leads.erase.useMutation();
  const go = async () => {
    try {
      await erase.mutateAsync({ id: lead.id });
      onErased();
      await changed(null);
      notify(`${lead.displayName} deleted`);
    } catch (error) {
      if (!isUnconfirmed(error)) notifyError(messageOf(error));
    }
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${lead.displayName}`}
      confirmLabel="Delete this lead"
      textToType={lead.displayName}
      isBusy={erase.isPending}
      onConfirm={() => void go()}
    >
      <p>
        All that was written of this lead goes, with the task to answer it and the automatic answer, and it counts in no
        report any more. This cannot be undone.
      </p>
      {lead.converted && <p>The client and the case that it became stay.</p>}
    </ConfirmDialog>
  );
}
