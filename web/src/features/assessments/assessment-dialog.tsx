import { CHILD_INCLUSIVE_NAMES, NCDR_FORM_NAMES, NCDR_FORMS, RISK_ASSESSMENT_NAMES } from "@app/shared/assessments";
import { Checkbox, Stack, Textarea, TextInput } from "@mantine/core";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CompanyFields } from "./company-fields.tsx";
import { MeetingFields } from "./meeting-fields.tsx";
import { useFirstMeeting } from "./use-first-meeting.ts";
import { type AssessmentForm, type AssessmentFormProps, useAssessmentForm } from "./use-assessment-form.ts";

/** The record of one person's MIAM: that it was held and how, and what it has to cover. */
export function AssessmentDialog(props: AssessmentFormProps) {
  const { party, others, assessment, onClose } = props;
  const form = useAssessmentForm(props);
  const { name, word } = useFirstMeeting();
  return (
    <Dialog isOpen onClose={onClose} title={`${name} of ${party.name}`} size="form">
      <VersionedForm form={form} what="record" label={name}>
        <Stack gap="lg">
          <p className="quiet-text">
            That they attended is for {party.name} and the practice. What was said stays with the practice.
          </p>
          <MeetingFields form={form} />
          <CompanyFields form={form} others={others} meetingId={assessment?.meetingId ?? null} />
          <NcdrFields form={form} />
          <ChoiceField
            label="Child-inclusive mediation"
            choices={CHILD_INCLUSIVE_NAMES}
            isTall
            {...form.field("childInclusive")}
          />
          {form.values.childInclusive === "not_explained" && (
            <Textarea label="Why it was not explained" autosize minRows={1} {...form.field("childInclusiveReason")} />
          )}
          <Textarea label="Signposted to (optional)" autosize minRows={1} {...form.field("signposting")} />
          <ChoiceField
            label="Risk assessment (their safety screening)"
            choices={RISK_ASSESSMENT_NAMES}
            isTall
            {...form.field("riskAssessment")}
          />
          {form.values.riskAssessment === "not_done" && (
            <Textarea
              label="Why it was not done"
              description="No certificate can be issued until it was done and this record is corrected"
              autosize
              minRows={1}
              {...form.field("riskReason")}
            />
          )}
          {assessment && (
            <TextInput
              label={assessment.isComplete ? "Why is it corrected?" : "Why is the day corrected? (only where it is)"}
              maxLength={200}
              {...form.field("reason")}
            />
          )}
          <FormFoot isSaving={form.isSaving}>
            {assessment?.isComplete ? "Save the correction" : `Record ${word}`}
          </FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}

function NcdrFields({ form }: { form: AssessmentForm }) {
  const { values, errors, setFieldValue } = form;
  const choose = (chosen: string[]) =>
    setFieldValue(
      "forms",
      NCDR_FORMS.filter((each) => chosen.includes(each)),
    );
  return (
    <>
      <Checkbox.Group
        label="Which forms of non-court dispute resolution may suit"
        value={values.forms}
        error={errors["forms"]}
        onChange={choose}
      >
        <Stack gap="xs" pt="xs">
          {NCDR_FORMS.map((each) => (
            <Checkbox
              key={each}
              value={each}
              label={NCDR_FORM_NAMES[each]}
              aria-invalid={errors["forms"] !== undefined}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea label="Why" autosize minRows={2} {...form.field("formsReason")} />
    </>
  );
}
