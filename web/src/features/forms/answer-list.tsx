import { OPTION_MAX_LENGTH } from "@app/shared/form-limits";
import { Button, Switch, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Fragment, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AmountField } from "./amount-field.tsx";
import { RowTools } from "./row-tools.tsx";

interface Answer {
  value: string;
  label: string;
  score?: number | null;
}

interface Props {
  title: string;
  /** What one of them is called: "Answer". */
  one: string;
  max: number;
  answers: readonly Answer[];
  onLabel: (value: string, label: string) => void;
  onAdd: () => void;
  onMove: (value: string, by: -1 | 1) => void;
  onRemove: (value: string) => void;
  /** Where an answer may count in a calculated value. */
  onScore?: ((value: string, score: number | null) => void) | undefined;
  /** What else there is to say of an answer, below it. */
  below?: ((value: string, index: number) => ReactNode) | undefined;
}

/** Words to choose from, in their order; Enter adds the next. */
export function AnswerList({ title, one, max, answers, onLabel, onAdd, onMove, onRemove, onScore, below }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [isScored, setIsScored] = useState(answers.some(({ score }) => typeof score === "number"));
  const add = () => {
    if (answers.length >= max) return;
    flushSync(onAdd);
    const inputs = list.current?.querySelectorAll<HTMLInputElement>("input[data-answer]");
    inputs?.[inputs.length - 1]?.focus();
  };
  return (
    <div ref={list} role="group" aria-label={title} className="answer-list">
      <div className="rule-title">{title}</div>
      {answers.map((answer, index) => (
        <Fragment key={answer.value}>
          <AnswerRow
            one={one}
            answer={answer}
            index={index}
            isLast={index === answers.length - 1}
            onLabel={onLabel}
            onEnter={add}
            onMove={onMove}
            onRemove={onRemove}
            onScore={isScored ? onScore : undefined}
          />
          {below?.(answer.value, index)}
        </Fragment>
      ))}
      <div className="inspector-buttons">
        {answers.length < max && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
            onClick={add}
          >
            Add {one.toLowerCase()}
          </Button>
        )}
      </div>
      {onScore && (
        <Switch
          label="Answers count in a calculated value"
          checked={isScored}
          onChange={({ currentTarget: { checked } }) => setIsScored(checked)}
        />
      )}
    </div>
  );
}

interface RowProps extends Pick<Props, "one" | "onLabel" | "onMove" | "onRemove" | "onScore"> {
  answer: Answer;
  index: number;
  isLast: boolean;
  onEnter: () => void;
}

function AnswerRow({ one, answer, index, isLast, onLabel, onEnter, onMove, onRemove, onScore }: RowProps) {
  const { value, label, score } = answer;
  return (
    <div className="answer-row">
      <TextInput
        size="xs"
        data-answer
        aria-label={`${one} ${index + 1}`}
        maxLength={OPTION_MAX_LENGTH}
        value={label}
        onChange={({ currentTarget }) => onLabel(value, currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && onEnter()}
      />
      {onScore && (
        <div className="answer-score">
          <AmountField
            aria-label={`${one} ${index + 1} counts`}
            size="xs"
            currency={null}
            isWhole
            min={-1000}
            max={1000}
            value={score ?? null}
            onChange={(next) => onScore(value, next)}
          />
        </div>
      )}
      <RowTools
        name={label || one}
        isFirst={index === 0}
        isLast={isLast}
        onMove={(by) => onMove(value, by)}
        onRemove={() => onRemove(value)}
      />
    </div>
  );
}
