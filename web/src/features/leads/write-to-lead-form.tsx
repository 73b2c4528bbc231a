import { type Lead, LEAD_LETTER_MAX_LENGTH, writeToLeadSchema } from "@app/shared/leads";
import { Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useLeadChanged } from "./use-lead-steps.ts";

/** A mail to somebody who asks; once it has left, it is the first answer. */
export function WriteToLeadForm({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const changed = useLeadChanged();
  const write = api.leads.write.useMutation();
  const check = validateWith(writeToLeadSchema);
  const form = useServerForm({
    initialValues: { subject: "", text: "" },
    validate: (values) => check({ id: lead.id, ...values }),
    async submit(values, changeId) {
      await changed(await write.mutateAsync({ id: lead.id, changeId, ...values }));
      notify("The email is on its way");
      onDone();
    },
  });
  return (
    <Form form={form} label="Write an email">
      <Stack gap="md">
        <p className="quiet-text">
          To {lead.email}. {lead.reachNote ? `They said of how to be reached: ${lead.reachNote}. ` : ""}
          {lead.isReachConfided ? "They said more of how to be reached: read their answers first. " : ""}
          You do not know yet who reads along: keep the subject neutral.
        </p>
        <TextInput label="Subject" data-autofocus maxLength={200} {...form.field("subject")} />
        <Textarea
          label="Message"
          autosize
          minRows={6}
          maxRows={16}
          maxLength={LEAD_LETTER_MAX_LENGTH}
          {...form.field("text")}
        />
        <FormFoot isSaving={form.isSaving}>Send the email</FormFoot>
      </Stack>
    </Form>
  );
}
