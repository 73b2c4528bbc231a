import type { ChangeEvent } from "react";
import type { CreateClient } from "@app/shared/clients";
import { CONFLICT_DECISION_NAMES, CONFLICT_DECISIONS, type ConflictDecision } from "@app/shared/conflicts";
import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { valueAt, withValueAt } from "../../core/form-values.ts";
import { Section } from "../../ui/section.tsx";
import { EMPTY_CLIENT, validateClient } from "./client-record.ts";
import { choicesOf, FORMAT_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";
import { ClientSelect, notChosen } from "../cases/client-select.tsx";
import { issuesOf } from "../casework/case-fields.tsx";
import { type CaseValues, missingChoices } from "../casework/case-record.ts";

export interface FirstCase {
  isOpened: boolean;
  otherId: string;
  /** Somebody who becomes a client with this one; null where a client is chosen, or nobody. */
  otherNew: Pick<CreateClient, "firstName" | "lastName"> | null;
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
  otherNew: null,
  otherTyped: "",
  theCase,
  decision: "",
  reason: "",
});

/** What is missing or left undone of a case that is opened, by field. */
export function missingOf({ isOpened, otherNew, otherTyped, theCase }: FirstCase): Record<string, string> {
  if (!isOpened) return {};
  const ofOther = otherNew ? validateClient({ ...EMPTY_CLIENT, ...otherNew }) : {};
  return {
    ...Object.fromEntries(Object.entries(ofOther).map(([field, message]) => [`other.${field}`, message])),
    ...(otherTyped ? { otherId: notChosen(otherTyped) } : {}),
    ...missingChoices(theCase),
  };
}

const DECISIONS = [
  { value: "", label: "Decide later" },
  ...CONFLICT_DECISIONS.map((value) => ({ value, label: CONFLICT_DECISION_NAMES[value] })),
];

interface Props {
  value: FirstCase;
  errors: Record<string, string>;
  /** Nobody is asked whether there is one. */
  isRequired?: boolean;
  onChange: (value: FirstCase) => void;
}

/** The case that a new client brings: the other party, the matter, and what the conflict check says. */
export function FirstCaseFields({ value, errors, isRequired = false, onChange }: Props) {
  const set = (change: Partial<FirstCase>) => onChange({ ...value, ...change });
  const { theCase } = value;
  const needsReason = value.decision !== "" && value.decision !== "clear";
  return (
    <Section title="Case">
      <Stack gap="md" pt="sm">
        {!isRequired && (
          <Checkbox
            label="Open a case for this client"
            checked={value.isOpened}
            onChange={(event) => set({ isOpened: event.currentTarget.checked })}
          />
        )}
        {value.isOpened && (
          <>
            {value.otherNew ? (
              <NewOther value={value.otherNew} errors={errors} onChange={(otherNew) => set({ otherNew })} />
            ) : (
              <ClientSelect
                label="Other participant (optional)"
                value={value.otherId}
                onChange={(otherId) => set({ otherId, otherTyped: "" })}
                onLeft={(otherTyped) => set({ otherTyped })}
                onNew={(name) => set({ otherId: "", otherTyped: "", otherNew: namesIn(name) })}
                error={errors["otherId"]}
              />
            )}
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

/** What stands last is taken for the last name; both can be changed. */
function namesIn(name: string): NonNullable<FirstCase["otherNew"]> {
  const words = name.split(/\s+/);
  return { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}

interface NewOtherProps extends Pick<Props, "errors"> {
  value: NonNullable<FirstCase["otherNew"]>;
  onChange: (value: FirstCase["otherNew"]) => void;
}

/** The other participant, who is no client yet: how they are reached is asked of them, not of whoever comes first. */
function NewOther({ value, errors, onChange }: NewOtherProps) {
  const field = (name: keyof typeof value) => ({
    value: value[name],
    error: errors[`other.${name}`],
    autoComplete: "off",
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <div>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput label="Other participant’s first name" data-autofocus {...field("firstName")} />
        <TextInput label="Other participant’s last name" {...field("lastName")} />
      </SimpleGrid>
      <Button size="compact-xs" variant="subtle" mt={6} onClick={() => onChange(null)}>
        Choose a client instead
      </Button>
    </div>
  );
}
