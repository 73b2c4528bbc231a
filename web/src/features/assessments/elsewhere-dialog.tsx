import {
  elsewhereDetailsSchema,
  EVIDENCE_MAX_LENGTH,
  SERVICE_MAX_LENGTH,
  URN_MAX_LENGTH,
} from "@app/shared/assessments";
import { SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type Named, useAssessmentChanged } from "./use-assessment-form.ts";

interface Props {
  caseId: string;
  party: Named;
  onClose: () => void;
}

/** A MIAM that another service held: where, with whom, and what was seen of it. */
export function ElsewhereDialog({ caseId, party, onClose }: Props) {
  const today = useToday();
  const record = api.assessments.recordElsewhere.useMutation();
  const changed = useAssessmentChanged();
  const form = useServerForm({
    initialValues: { attendedOn: "", service: "", mediatorName: "", accreditationNumber: "", evidence: "" },
    validate: validateWith(elsewhereDetailsSchema),
    submit: async (details, id) => {
      await record.mutateAsync({ id, caseId, partyId: party.partyId, ...details });
      await changed();
      notify(`The MIAM of ${party.name} is recorded`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`MIAM of ${party.name}, held elsewhere`}>
      <Form form={form} label="MIAM held elsewhere">
        <Stack gap="lg">
          <p className="quiet-text">
            It counts as attended. Its certificate comes from whoever held it: you cannot issue one.
          </p>
          <TextInput label="Day" type="date" max={today} maw={200} {...form.field("attendedOn")} />
          <TextInput label="Mediation service" maxLength={SERVICE_MAX_LENGTH} {...form.field("service")} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput label="Mediator" maxLength={SERVICE_MAX_LENGTH} {...form.field("mediatorName")} />
            <TextInput
              label="Their FMC number, URN (optional)"
              maxLength={URN_MAX_LENGTH}
              {...form.field("accreditationNumber")}
            />
          </SimpleGrid>
          <TextInput
            label="What have you seen of it?"
            description="Such as their certificate and its number"
            maxLength={EVIDENCE_MAX_LENGTH}
            {...form.field("evidence")}
          />
          <FormFoot isSaving={form.isSaving}>Record MIAM</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
