import { LEAD_REOPEN_MONTHS, LOST_REASON_NAMES, LOST_REASONS, type LostReason } from "@app/shared/lead-states";
import { type Lead, LEAD_NOTE_MAX_LENGTH } from "@app/shared/leads";
import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { FormFoot } from "../../ui/form-foot.tsx";
import { choicesOf } from "../cases/case-words.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

/** Why a lead goes no further; nothing is chosen beforehand. */
export function LoseLeadForm({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const changed = useLeadChanged();
  const lose = api.leads.lose.useMutation();
  const form = useServerForm<{ reason: LostReason | ""; note: string }>({
    initialValues: { reason: "", note: "" },
    validate: ({ reason }): Record<string, string> => (reason === "" ? { reason: "Choose why" } : {}),
    async submit({ reason, note }) {
      const chosen = LOST_REASONS.find((known) => known === reason);
      if (!chosen) return;
      await changed(await lose.mutateAsync({ id: lead.id, version: lead.version, reason: chosen, note }));
      notify(`${lead.displayName} marked as lost`);
      onDone();
    },
  });
  return (
    <Form form={form} label="Mark as lost">
      <Stack gap="md">
        <p className="quiet-text">A lost lead can be reopened for {LEAD_REOPEN_MONTHS} months.</p>
        <NativeSelect
          label="Why"
          data-autofocus
          data={choicesOf(LOST_REASON_NAMES, form.values.reason)}
          {...form.field("reason")}
        />
        <TextInput label="In words (optional)" maxLength={LEAD_NOTE_MAX_LENGTH} {...form.field("note")} />
        <FormFoot isSaving={form.isSaving}>Mark as lost</FormFoot>
      </Stack>
    </Form>
  );
}
