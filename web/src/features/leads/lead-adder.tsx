import { HAND_CHANNELS, type Lead, LEAD_CHANNEL_NAMES } from "@app/shared/leads";
import { NativeSelect } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useNewRecord } from "../../core/record-editor.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { LeadFields } from "./lead-fields.tsx";
import { emptyEnquiry, enquiryIn, type EnquiryValues, validateEnquiry } from "./lead-record.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

interface Props {
  onClose: () => void;
  onAdded: (lead: Lead) => void;
}

/** Adds somebody who rang or wrote, and then shows them. */
export const LeadAdder = (props: Props) => (
  <Dialog isOpen onClose={props.onClose} title="Add lead" size="form">
    <NewLeadForm {...props} />
  </Dialog>
);

interface Values extends EnquiryValues {
  channel: (typeof HAND_CHANNELS)[number];
}

function NewLeadForm({ onClose, onAdded }: Props) {
  const { mediatorType } = useCurrentUser();
  const changed = useLeadChanged();
  const create = api.leads.create.useMutation();
  const form = useNewRecord<Values, Lead>({
    initialValues: { ...emptyEnquiry(mediatorType), channel: "phone" },
    validate: ({ channel: _channel, ...values }) => validateEnquiry(values),
    create({ channel, ...values }, id) {
      const lead = enquiryIn(values);
      if (!lead) throw new Error("how they came is asked before anything is sent");
      return create.mutateAsync({ id, channel, lead });
    },
    onCreated(created) {
      void changed(created);
      notify(`${created.displayName} added`);
      onAdded(created);
    },
  });
  return (
    <Form form={form} label="Lead">
      <LeadFields form={form} />
      <NativeSelect
        mt="md"
        label="Asked by"
        data={HAND_CHANNELS.map((value) => ({ value, label: LEAD_CHANNEL_NAMES[value] }))}
        {...form.field("channel")}
      />
      <RecordFormFoot submitLabel="Add lead" isSaving={form.isSaving} onCancel={onClose} />
    </Form>
  );
}
