import type { Field } from "@app/shared/form-fields";
import { CONDITIONS_MAX } from "@app/shared/form-limits";
import { type Condition, type ConditionPart, JOINTS } from "@app/shared/form-logic";
import { conditionWords } from "@app/shared/form-words";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import { useBuilderContext } from "./builder-context.ts";
import { ComparisonFields } from "./comparison-fields.tsx";
import { focusAfter } from "./focus-after.ts";
import { newCondition } from "./readable.ts";
import { SaidRule } from "./said-rule.tsx";

interface Props {
  title: string;
  condition: Condition;
  readable: readonly Field[];
  /** Null takes the rule out. */
  onChange: (condition: Condition | null) => void;
}

const JOINT_WORDS = { and: "all of these hold", or: "any of these holds", not: "none of these holds" } as const;

/** A rule as words to choose, with the whole of it as a sentence below. */
export function ConditionFields({ title, condition, readable, onChange }: Props) {
  const { content } = useBuilderContext();
  const box = useRef<HTMLDivElement>(null);
  const setPart = (index: number, part: ConditionPart | null) => {
    const of = part === null ? condition.of.toSpliced(index, 1) : condition.of.toSpliced(index, 1, part);
    onChange({ ...condition, of });
  };
  const partAt = (index: number) => (drawn: HTMLElement) =>
    drawn.querySelectorAll(".rule-part").item(index)?.querySelector("select, button");
  const takeOut = (index: number) =>
    focusAfter(box.current, () => setPart(index, null), partAt(Math.min(index, condition.of.length - 2)));
  const add = () => {
    const part = newCondition(readable)?.of[0];
    const more = () => part && onChange({ ...condition, of: [...condition.of, part] });
    focusAfter(box.current, more, partAt(condition.of.length));
  };
  return (
    <div ref={box} role="group" aria-label={title} className="rule-box">
      <div className="rule-title">{title}</div>
      {(condition.of.length > 1 || condition.joint === "not") && (
        <NativeSelect
          size="xs"
          aria-label="How they are joined"
          data={JOINTS.map((value) => ({ value, label: JOINT_WORDS[value] }))}
          value={condition.joint}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...condition, joint: JOINTS.find((joint) => joint === value) ?? "and" })
          }
        />
      )}
      {condition.of.map((part, index) => (
        // Comparisons have no names, and stand in their order.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="rule-part">
          {"of" in part ? (
            <span className="rule-sentence">
              <SaidRule words={conditionWords(content, part)} />
            </span>
          ) : (
            <ComparisonFields comparison={part} readable={readable} onChange={(next) => setPart(index, next)} />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Take this condition out"
            onClick={() => (condition.of.length > 1 ? takeOut(index) : onChange(null))}
          >
            <IconTrash size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {condition.of.length < CONDITIONS_MAX && (
        <Button size="xs" variant="subtle" onClick={add}>
          Add a condition
        </Button>
      )}
      <p className="rule-sentence">
        {title} <SaidRule words={conditionWords(content, condition)} />
      </p>
    </div>
  );
}
