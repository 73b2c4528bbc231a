import {
  LEAD_REOPEN_MONTHS,
  LEAD_STATUS_NAMES,
  LOST_REASON_NAMES,
  LOST_REASONS,
  type LostReason,
} from "@app/shared/lead-states";
import { type Lead, LEAD_NOTE_MAX_LENGTH } from "@app/shared/leads";
import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { type Fact, OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { choicesOf } from "../cases/case-words.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

const statusOf = ({ status }: Lead) => LEAD_STATUS_NAMES[status];
const FACTS: Fact<Lead>[] = [{ key: "status", label: "State", value: statusOf, text: statusOf }];

/** Why a lead goes no further; nothing is chosen beforehand. */
export function LoseLeadForm({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const changed = useLeadChanged();
  const lose = api.leads.lose.useMutation();
  const form = useOpenedForm<Lead, { reason: LostReason | ""; note: string }>({
    record: lead,
    facts: FACTS,
    initialValues: { reason: "", note: "" },
    validate: ({ reason }): Record<string, string> => (reason === "" ? { reason: "Choose why" } : {}),
    async submit({ reason, note }, opened) {
      const chosen = LOST_REASONS.find((known) => known === reason);
      if (!chosen) return;
      await changed(await lose.mutateAsync({ id: opened.id, version: opened.version, reason: chosen, note }));
      notify(`${lead.displayName} marked as lost`);
      onDone();
    },
  });
  return (
    <OpenedForm form={form} what="lead" label="Mark as lost">
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
    </OpenedForm>
  );
}
