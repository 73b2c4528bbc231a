import type { Field } from "@app/shared/form-fields";
import type { Condition } from "@app/shared/form-logic";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef } from "react";
import { ConditionFields } from "./condition-fields.tsx";
import { focusAfter } from "./focus-after.ts";
import { newCondition } from "./readable.ts";

interface Props {
  title: string;
  /** On the button that begins the rule. */
  add: string;
  condition: Condition | null;
  readable: readonly Field[];
  onChange: (condition: Condition | null) => void;
}

/** A rule that there may be, or the button that begins it. */
export function Rule({ title, add, condition, readable, onChange }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const begin = () =>
    focusAfter(
      place.current,
      () => onChange(newCondition(readable)),
      (drawn) => drawn.querySelector("select"),
    );
  const change = (next: Condition | null) =>
    next
      ? onChange(next)
      : focusAfter(
          place.current,
          () => onChange(null),
          (drawn) => drawn.querySelector("button"),
        );
  return (
    <div ref={place}>
      {condition ? (
        <ConditionFields title={title} condition={condition} readable={readable} onChange={change} />
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
          disabled={readable.length === 0}
          onClick={begin}
        >
          {add}
        </Button>
      )}
    </div>
  );
}
