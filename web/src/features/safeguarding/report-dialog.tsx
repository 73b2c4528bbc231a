import { IMMEDIACY_NAMES, type ReportConcern, reportConcernSchema } from "@app/shared/safeguarding";
import { Stack, Text, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Values extends Omit<ReportConcern, "immediacy"> {
  immediacy: ReportConcern["immediacy"] | "";
}

const checkReport = validateWith<ReportConcern, Values>(reportConcernSchema);

/** What somebody heard of a risk who may not read the safeguarding record. */
export function ReportDialog({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const report = api.safeguarding.report.useMutation();
  const form = useServerForm<Values>({
    initialValues: { caseId, personAtRisk: "", concern: "", immediacy: "" },
    validate: checkReport,
    async submit(values, id) {
      await report.mutateAsync({ id, ...reportConcernSchema.parse(values) });
      notify("Your concern is kept, and those who look after the safeguarding record are asked to read it");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Report a concern" size="form">
      <Form form={form} label="Concern">
        <Stack gap="lg">
          <TextInput label="Who is at risk" {...form.field("personAtRisk")} />
          <Textarea
            label="The concern, in their own words where you can"
            autosize
            minRows={3}
            {...form.field("concern")}
          />
          <ChoiceField label="How soon" choices={IMMEDIACY_NAMES} {...form.field("immediacy")} isTall />
          {form.values.immediacy === "now" && (
            <Text role="status">Call the emergency services first, and tell a mediator of the case at once.</Text>
          )}
          <FormFoot isSaving={form.isSaving}>Report the concern</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
