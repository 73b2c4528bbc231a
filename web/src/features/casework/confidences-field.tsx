import type { CaseDomain } from "@app/shared/case-transitions";
import { CONFIDENCES, CONFIDENCES_NAMES, type Confidences, usualConfidences } from "@app/shared/confidences";
import { Radio, Stack } from "@mantine/core";

interface Props {
  domain: CaseDomain;
  value: Confidences | "";
  error: string | undefined;
  onChange: (value: Confidences) => void;
}

/** What the agreement says of confidences; what is usual is told, and nothing is chosen for you. */
export function ConfidencesField({ domain, value, error, onChange }: Props) {
  return (
    <Radio.Group
      label="What does the agreement say of confidences?"
      description={usualConfidences(domain)}
      error={error}
      value={value}
      onChange={(wanted) => {
        const chosen = CONFIDENCES.find((each) => each === wanted);
        if (chosen) onChange(chosen);
      }}
    >
      <Stack gap="sm" py="xs">
        {CONFIDENCES.map((each) => (
          <Radio key={each} value={each} label={CONFIDENCES_NAMES[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
