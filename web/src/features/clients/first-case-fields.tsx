import type { ChangeEvent } from "react";
import { CONFLICT_DECISION_NAMES, CONFLICT_DECISIONS, type ConflictDecision } from "@app/shared/conflicts";
import { Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { valueAt, withValueAt } from "../../core/form-values.ts";
import { Section } from "../../ui/section.tsx";
import { choicesOf, FORMAT_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";
import { ClientSelect, notChosen } from "../cases/client-select.tsx";
import { issuesOf } from "../casework/case-fields.tsx";
import { type CaseValues, missingChoices } from "../casework/case-record.ts";

export interface FirstCase {
  isOpened: boolean;
  otherId: string;
  /** What was typed for the other, with nobody chosen by it. */
  otherTyped: string;
  theCase: CaseValues;
  /** Empty where it is decided later. */
  decision: ConflictDecision | "";
  reason: string;
}

export const noCase = (theCase: CaseValues): FirstCase => ({
  isOpened: false,
  otherId: "",
  otherTyped: "",
  theCase,
  decision: "",
  reason: "",
});

/** What is missing or left undone of a case that is opened, by field. */
export const missingOf = ({ isOpened, otherTyped, theCase }: FirstCase): Record<string, string> =>
  isOpened ? { ...(otherTyped ? { otherId: notChosen(otherTyped) } : {}), ...missingChoices(theCase) } : {};

const DECISIONS = [
  { value: "", label: "Decide later" },
  ...CONFLICT_DECISIONS.map((value) => ({ value, label: CONFLICT_DECISION_NAMES[value] })),
];

interface Props {
  value: FirstCase;
  errors: Record<string, string>;
  onChange: (value: FirstCase) => void;
}

/** The case that a new client brings: the other party, the matter, and what the conflict check says. */
export function FirstCaseFields({ value, errors, onChange }: Props) {
  const set = (change: Partial<FirstCase>) => onChange({ ...value, ...change });
  const { theCase } = value;
  const needsReason = value.decision !== "" && value.decision !== "clear";
  return (
    <Section title="Case">
      <Stack gap="md" pt="sm">
        <Checkbox
          label="Open a case for this client"
          checked={value.isOpened}
          onChange={(event) => set({ isOpened: event.currentTarget.checked })}
        />
        {value.isOpened && (
          <>
            <ClientSelect
              label="Other participant (optional)"
              value={value.otherId}
              onChange={(otherId) => set({ otherId, otherTyped: "" })}
              onLeft={(otherTyped) => set({ otherTyped })}
              error={errors["otherId"]}
            />
            <TextInput
              label="Matter (optional)"
              maxLength={200}
              value={theCase.matter}
              onChange={(event) => set({ theCase: { ...theCase, matter: event.currentTarget.value } })}
            />
            <Choices theCase={theCase} errors={errors} onChange={(chosen) => set({ theCase: chosen })} />
            <NativeSelect
              label="Conflict check"
              description="Look at who was found, then decide"
              data={DECISIONS}
              value={value.decision}
              onChange={(event) =>
                set({ decision: CONFLICT_DECISIONS.find((each) => each === event.currentTarget.value) ?? "" })
              }
            />
            {needsReason && (
              <TextInput
                label="Reason"
                required
                maxLength={500}
                value={value.reason}
                onChange={(event) => set({ reason: event.currentTarget.value })}
              />
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}

interface ChoicesProps extends Pick<Props, "errors"> {
  theCase: CaseValues;
  onChange: (theCase: CaseValues) => void;
}

/** Letters, meetings and reports go by these, so somebody says them. */
function Choices({ theCase, errors, onChange }: ChoicesProps) {
  const choice = (path: string, data: { value: string; label: string }[]) => ({
    data,
    value: String(valueAt(theCase, path)),
    error: errors[path],
    onChange: (event: ChangeEvent<HTMLSelectElement>) =>
      onChange(withValueAt(theCase, path, event.currentTarget.value)),
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <NativeSelect label="Issues" {...choice("issueScope", issuesOf(theCase))} />
      <NativeSelect label="Format" {...choice("format", choicesOf(FORMAT_NAMES, theCase.format))} />
      <NativeSelect
        label="How they came"
        {...choice("referral.source", choicesOf(SOURCE_NAMES, theCase.referral.source))}
      />
    </SimpleGrid>
  );
}
