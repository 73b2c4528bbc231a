import type { Assessment } from "@app/shared/assessments";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useAssessmentChanged } from "./use-assessment-form.ts";

interface Props {
  assessment: Assessment;
  onClose: () => void;
}

/** For what was recorded in error: it stays readable, and counts for nothing. */
export function StrikeDialog({ assessment: { id, version, origin }, onClose }: Props) {
  const strike = api.assessments.strike.useMutation();
  const changed = useAssessmentChanged();
  const form = useServerForm({
    initialValues: { reason: "" },
    submit: async ({ reason }) => {
      await strike.mutateAsync({ id, version, reason });
      await changed();
      notify("The record is struck");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Strike this record?">
      <Form form={form} label="Strike">
        <Stack gap="lg">
          <span>
            {origin === "elsewhere" ? "Only where it is wrong." : "Only where they did not attend."} The record stays to
            be read, and counts for nothing any more.
          </span>
          <TextInput label="Why was it recorded in error?" maxLength={200} {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving} isDestructive>
            Strike the record
          </FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
