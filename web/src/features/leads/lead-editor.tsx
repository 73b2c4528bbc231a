import type { Lead } from "@app/shared/leads";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useRecordEditor } from "../../core/record-editor.tsx";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { LeadFields } from "./lead-fields.tsx";
import { enquiryIn, enquiryValues, type EnquiryValues, LEAD_FIELDS, validateEnquiry } from "./lead-record.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

export function LeadEditor({ lead, onLeave }: { lead: Lead; onLeave: () => void }) {
  const utils = api.useUtils();
  const changed = useLeadChanged();
  const update = api.leads.update.useMutation();
  const form = useRecordEditor<EnquiryValues, Lead>({
    record: lead,
    fields: LEAD_FIELDS,
    valuesOf: enquiryValues,
    validate: validateEnquiry,
    read: () => utils.leads.get.fetch({ id: lead.id }, { staleTime: 0 }),
    save(values, version) {
      const enquiry = enquiryIn(values);
      if (!enquiry) throw new Error("how they came is asked before anything is sent");
      return update.mutateAsync({ id: lead.id, version, lead: enquiry });
    },
    onSaved(saved) {
      void changed(saved);
      notify(`${saved.displayName} saved`);
      onLeave();
    },
  });
  return (
    <VersionedForm form={form} what="lead" label="Lead">
      <LeadFields form={form} />
      <RecordFormFoot submitLabel="Save" isSaving={form.newer.isSaving} onCancel={onLeave} />
    </VersionedForm>
  );
}
