import { Textarea, type TextareaProps } from "@mantine/core";

/** Why a meeting goes against what was agreed for somebody's safety: without separate arrivals, where nothing else is said. */
export const AgainstReason = (field: TextareaProps) => (
  <Textarea
    label="Why it goes without separate arrivals"
    description="Kept with the meeting, for those who may read screenings"
    autosize
    minRows={2}
    {...field}
  />
);
