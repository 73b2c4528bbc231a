import { type Answers, type AnswerValue, answerTo, rowsOf } from "@app/shared/form-answers";
import { useContext, useRef } from "react";
import { rowKey } from "@app/shared/form-evaluation";
import { EvaluationContext } from "./evaluation-context.ts";
import { Question } from "./question.tsx";
import type { Of } from "./question-props.ts";

/** Rows of the same questions, such as one for each child. */
export function RepeatGroup(props: Of<"repeat_group">) {
  const { field, id, answer, onAnswer } = props;
  const rows = rowsOf(answer);
  const place = useRef<HTMLDivElement>(null);
  const word = field.rowLabel || "Entry";
  const change = (next: Answers[]) => onAnswer(next.length > 0 ? next : null);
  const add = () => {
    change([...rows, {}]);
    // As soon as it is drawn.
    setTimeout(() =>
      place.current?.querySelector<HTMLElement>("fieldset:last-of-type input, fieldset:last-of-type textarea")?.focus(),
    );
  };
  return (
    <div ref={place}>
      {rows.map((row, index) => (
        <fieldset key={index} className="form-group-row">
          <legend>
            {word} {index + 1}
          </legend>
          <Row {...props} row={row} index={index} onRow={(next) => change(rows.with(index, next))} />
          <button
            type="button"
            className="form-small-button"
            aria-label={`Take out ${word} ${index + 1}`}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            Take out
          </button>
        </fieldset>
      ))}
      <button type="button" id={id} className="form-add" disabled={rows.length >= field.atMost} onClick={add}>
        Add {rows.length === 0 ? "one" : "another"}
        <span className="form-unseen">: {word}</span>
      </button>
    </div>
  );
}

type RowProps = Of<"repeat_group"> & { row: Answers; index: number; onRow: (row: Answers) => void };

function Row({ field: group, id, currency, problems, files, row, index, onRow }: RowProps) {
  const { visible, required } = useContext(EvaluationContext);
  const set = (fieldId: string, value: AnswerValue | null) => {
    const next = new Map(Object.entries(row));
    if (value === null) next.delete(fieldId);
    else next.set(fieldId, value);
    onRow(Object.fromEntries(next));
  };
  return group.fields.map((field) => {
    const key = rowKey(group.id, index, field.id);
    if (!visible.has(key)) return null;
    return (
      <Question
        key={field.id}
        field={field}
        id={`${id}-${index}-${field.id}`}
        answer={answerTo(row, field.id)}
        currency={currency}
        isRequired={required.has(key)}
        problems={below(problems, `${index}.${field.id}`)}
        files={files}
        onAnswer={(value) => set(field.id, value)}
      />
    );
  });
}

/** What of these problems is of one question of one row. */
const below = (problems: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([at, message]) => {
      if (at === path) return [["", message]];
      return at.startsWith(`${path}.`) ? [[at.slice(path.length + 1), message]] : [];
    }),
  );
