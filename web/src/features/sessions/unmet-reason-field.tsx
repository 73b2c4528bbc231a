import { TIME_REASON_MAX_LENGTH } from "@app/shared/session-times";
import { Textarea } from "@mantine/core";
import { useState } from "react";

interface Props {
  label?: string;
  /** Where it is known before what is asked for. */
  asked?: string;
  value: string;
  /** What the server found missing; the field is there once it was asked for. */
  error: string | undefined;
  onChange: (value: string) => void;
}

export function UnmetReasonField({ label = "Why was it held all the same?", value, error, onChange, ...props }: Props) {
  const [asked, setAsked] = useState(error ?? props.asked);
  if (error !== undefined && error !== asked) setAsked(error);
  if (asked === undefined) return null;
  return (
    <Textarea
      label={label}
      description={asked}
      autosize
      minRows={2}
      maxLength={TIME_REASON_MAX_LENGTH}
      value={value}
      error={error !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
