import { CONFLICT_DECISION_NAMES, CONFLICT_DECISIONS, type ConflictDecision } from "@app/shared/conflicts";
import { Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { Section } from "../../ui/section.tsx";
import { ClientSelect } from "../cases/client-select.tsx";

export interface FirstCase {
  isOpened: boolean;
  otherId: string;
  matter: string;
  /** Empty where it is decided later. */
  decision: ConflictDecision | "";
  reason: string;
}

export const NO_CASE: FirstCase = { isOpened: false, otherId: "", matter: "", decision: "", reason: "" };

const DECISIONS = [
  { value: "", label: "Decide later" },
  ...CONFLICT_DECISIONS.map((value) => ({ value, label: CONFLICT_DECISION_NAMES[value] })),
];

interface Props {
  value: FirstCase;
  onChange: (value: FirstCase) => void;
}

/** The case that a new client brings: the other party, the matter, and what the conflict check says. */
export function FirstCaseFields({ value, onChange }: Props) {
  const set = (change: Partial<FirstCase>) => onChange({ ...value, ...change });
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
              onChange={(otherId) => set({ otherId })}
            />
            <TextInput
              label="Matter (optional)"
              maxLength={200}
              value={value.matter}
              onChange={(event) => set({ matter: event.currentTarget.value })}
            />
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
