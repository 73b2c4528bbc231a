import {
  type ElsewhereDetails,
  elsewhereDetailsSchema,
  EVIDENCE_KIND_NAMES,
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
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type Named, useAssessmentChanged } from "./use-assessment-form.ts";

interface Props {
  caseId: string;
  party: Named;
  onClose: () => void;
}

const NOTHING: Omit<ElsewhereDetails, "evidenceKind"> & { evidenceKind: ElsewhereDetails["evidenceKind"] | "" } = {
  attendedOn: "",
  service: "",
  mediatorName: "",
  accreditationNumber: "",
  evidenceKind: "",
  evidence: "",
};

/** A MIAM that another service held: where, with whom, and what was seen of it. */
export function ElsewhereDialog({ caseId, party, onClose }: Props) {
  const today = useToday();
  const record = api.assessments.recordElsewhere.useMutation();
  const changed = useAssessmentChanged();
  const form = useServerForm({
    initialValues: NOTHING,
    validate: validateWith(elsewhereDetailsSchema),
    submit: async (values, id) => {
      const details = elsewhereDetailsSchema.parse(values);
      await record.mutateAsync({ id, caseId, partyId: party.partyId, ...details });
      await changed();
      notify(`The MIAM of ${party.name} is recorded`);
      onClose();
    },
  });
  const isToldOnly = form.values.evidenceKind === "told";
  return (
    <Dialog isOpen onClose={onClose} title={`MIAM of ${party.name}, held elsewhere`}>
      <Form form={form} label="MIAM held elsewhere">
        <Stack gap="lg">
          <p className="quiet-text">
            It counts as attended once they have got in touch with you themselves. Its certificate comes from whoever
            held it: you cannot issue one. If somebody only told you about it, it is noted but does not count.
          </p>
          <TextInput label="Day" type="date" max={today} maw={200} {...form.field("attendedOn")} />
          <TextInput label="Mediation service" maxLength={SERVICE_MAX_LENGTH} {...form.field("service")} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput label="Mediator" maxLength={SERVICE_MAX_LENGTH} {...form.field("mediatorName")} />
            <TextInput
              label={isToldOnly ? "Their FMC number, URN (optional)" : "Their FMC number (URN)"}
              maxLength={URN_MAX_LENGTH}
              {...form.field("accreditationNumber")}
            />
          </SimpleGrid>
          <ChoiceField
            label="How do you know of it?"
            choices={EVIDENCE_KIND_NAMES}
            isTall
            {...form.field("evidenceKind")}
          />
          <TextInput
            label={isToldOnly ? "Who told you, and when?" : "What have you seen or heard of it?"}
            description={isToldOnly ? undefined : "Such as the number and the day of their certificate"}
            maxLength={EVIDENCE_MAX_LENGTH}
            {...form.field("evidence")}
          />
          <FormFoot isSaving={form.isSaving}>Record MIAM</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
