import { SESSION_TEXT_MAX_LENGTH } from "@app/shared/session-outcomes";
import { SESSION_OUTCOME_NAMES, SESSION_OUTCOMES, type SessionOutcomeCode } from "@app/shared/session-states";
import type { Session } from "@app/shared/sessions";
import { Radio, Stack, Textarea } from "@mantine/core";
import { useState } from "react";

export function useOutcome({ outcome }: Session) {
  const [code, setCode] = useState<SessionOutcomeCode | null>(outcome?.code ?? null);
  const [text, setText] = useState(outcome?.text ?? "");
  const isDirty = code !== (outcome?.code ?? null) || text !== (outcome?.text ?? "");
  return { code, setCode, text, setText, isDirty, value: code ? { code, text: text.trim() } : null };
}

interface Props {
  outcome: ReturnType<typeof useOutcome>;
  error?: string | undefined;
}

export function OutcomeFields({ outcome, error }: Props) {
  return (
    <>
      <Radio.Group
        label="How did it end?"
        value={outcome.code}
        error={error}
        onChange={(value) => outcome.setCode(SESSION_OUTCOMES.find((code) => code === value) ?? null)}
      >
        <Stack gap="sm" mt="xs" mb="md">
          {SESSION_OUTCOMES.map((code) => (
            <Radio key={code} value={code} label={SESSION_OUTCOME_NAMES[code]} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label="In a few words (optional)"
        description="Kept by the practice. No party and no court reads this."
        autosize
        minRows={2}
        maxLength={SESSION_TEXT_MAX_LENGTH}
        value={outcome.text}
        onChange={(event) => outcome.setText(event.currentTarget.value)}
      />
    </>
  );
}
