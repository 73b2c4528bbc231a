import type { Case } from "@app/shared/cases";
import {
  APPROVAL_DECISION_NAMES,
  APPROVAL_WAY_NAMES,
  type ApprovalDecision,
  type ApprovalWay,
} from "@app/shared/document-approvals";
import { type DocumentRow, recordApprovalSchema } from "@app/shared/documents";
import { NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  document: DocumentRow;
  theCase: Case;
  onClose: () => void;
}

interface Values {
  partyId: string;
  decision: ApprovalDecision | "";
  on: string;
  how: ApprovalWay | "";
  comment: string;
}

/** What one of them says of a finished document, as the mediator heard it. */
export function ApprovalDialog({ document, theCase, onClose }: Props) {
  const today = useToday();
  const utils = api.useUtils();
  const record = api.documents.recordApproval.useMutation();
  const { id, name } = document;
  const form = useServerForm<Values>({
    initialValues: { partyId: "", decision: "", on: "", how: "", comment: "" },
    validate: ({ partyId, decision, on, how, comment }): Record<string, string> => ({
      ...(partyId === "" ? { partyId: "Choose who says it" } : {}),
      ...(decision === "" ? { decision: "Choose what they say" } : {}),
      ...(on === "" ? { on: "Enter the day on which they said it" } : {}),
      ...(how === "" ? { how: "Choose how they said it" } : {}),
      ...(decision === "change" && comment.trim() === "" ? { comment: "Say which change they ask for" } : {}),
    }),
    submit: async (values) => {
      await record.mutateAsync(recordApprovalSchema.parse({ id, ...values }));
      await Promise.all([utils.documents.list.invalidate(), utils.timeline.invalidate()]);
      notify("Recorded");
      onClose();
    },
  });
  const present = theCase.parties.filter(({ leftAt }) => leftAt === null);
  return (
    <Dialog isOpen onClose={onClose} title={`What they say of ${name}`}>
      <Form form={form} label="Approval">
        <Stack gap="lg">
          <NativeSelect
            label="Who says it"
            data={[
              { value: "", label: "Choose" },
              ...present.map(({ partyId, name: whose, label }) => ({ value: partyId, label: `${whose} (${label})` })),
            ]}
            {...form.field("partyId")}
          />
          <ChoiceField
            label="What they say"
            choices={APPROVAL_DECISION_NAMES}
            value={form.values.decision}
            error={form.errors["decision"]}
            onChange={(decision) => form.setFieldValue("decision", decision)}
          />
          <TextInput label="On" type="date" max={today} {...form.field("on")} />
          <ChoiceField
            label="How"
            choices={APPROVAL_WAY_NAMES}
            value={form.values.how}
            error={form.errors["how"]}
            onChange={(how) => form.setFieldValue("how", how)}
          />
          <Textarea label="What they say about it" autosize minRows={2} {...form.field("comment")} />
          <FormFoot isSaving={form.isSaving}>Record it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
