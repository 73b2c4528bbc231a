import type { Assessment } from "@app/shared/assessments";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { ASSESSMENT_FACTS } from "./assessment-record.ts";
import { useAssessmentChanged } from "./use-assessment-form.ts";

interface Props {
  assessment: Assessment;
  onClose: () => void;
}

/** For what was recorded in error: it stays readable, and counts for nothing. */
export function StrikeDialog({ assessment, onClose }: Props) {
  const strike = api.assessments.strike.useMutation();
  const changed = useAssessmentChanged();
  const form = useOpenedForm({
    record: assessment,
    facts: ASSESSMENT_FACTS,
    initialValues: { reason: "" },
    submit: async ({ reason }, { id, version }) => {
      await strike.mutateAsync({ id, version, reason });
      await changed();
      notify("The record is struck");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Strike this record?">
      <OpenedForm form={form} what="record" label="Strike">
        <Stack gap="lg">
          <span>
            {assessment.origin === "elsewhere" ? "Only where it is wrong." : "Only where they did not attend."} The
            record can still be read but no longer counts.
          </span>
          <TextInput label="Why was it recorded in error?" maxLength={200} {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving} isDestructive>
            Strike the record
          </FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
