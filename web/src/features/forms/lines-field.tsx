import { Textarea } from "@mantine/core";
import type { Ref } from "react";

interface Props {
  label: string;
  description?: string;
  maxLength: number;
  value: string;
  /** Grows over several lines, but holds one. */
  isOneLine?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
  onChange: (value: string) => void;
}

export const LinesField = ({ description, isOneLine = false, onChange, ref, ...rest }: Props) => (
  <Textarea
    {...rest}
    {...(ref ? { ref } : {})}
    {...(description ? { description } : {})}
    autosize
    minRows={isOneLine ? 1 : 2}
    maxRows={10}
    onChange={({ currentTarget: { value } }) => onChange(isOneLine ? value.replaceAll("\n", " ") : value)}
  />
);
