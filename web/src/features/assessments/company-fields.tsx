import { MIAM_COMPANY_NAMES } from "@app/shared/assessments";
import { Checkbox, Stack } from "@mantine/core";
import { ChoiceField } from "../../ui/choice-field.tsx";
import type { AssessmentForm, Named } from "./use-assessment-form.ts";

/** Whether they came alone and, where they did not, which of the other participants were there. */
export function CompanyFields({ form, others }: { form: AssessmentForm; others: readonly Named[] }) {
  const { values, errors, setFieldValue } = form;
  const { onChange, ...company } = form.field("company");
  return (
    <>
      <ChoiceField
        label="They attended"
        choices={MIAM_COMPANY_NAMES}
        isTall
        {...company}
        onChange={(choice) => {
          onChange(choice);
          if (choice === "alone") setFieldValue("withPartyIds", []);
        }}
      />
      {values.company === "with" && (
        <Checkbox.Group
          label="Who was there?"
          description="A certificate names none of them"
          value={values.withPartyIds}
          error={errors["withPartyIds"]}
          onChange={(ids) => setFieldValue("withPartyIds", ids)}
        >
          <Stack gap="xs" pt="xs">
            {others.map(({ partyId, name }) => (
              <Checkbox
                key={partyId}
                value={partyId}
                label={name}
                aria-invalid={errors["withPartyIds"] !== undefined}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
