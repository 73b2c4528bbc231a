import { type Answers, answerTo, rowsOf, withAnswer } from "@app/shared/form-answers";
import { ROW_ID, rowIdOf } from "@app/shared/form-rows";
import { type ComponentType, useContext, useRef } from "react";
import { rowKey } from "@app/shared/form-evaluation";
import { makeId } from "../../core/new-id.ts";
import { EvaluationContext } from "./evaluation-context.ts";
import type { Of, QuestionProps } from "./question-props.ts";

interface GroupProps extends Of<"repeat_group"> {
  /** What draws a question of a row: it draws groups too, so it comes from whoever asks. */
  Question: ComponentType<Omit<QuestionProps, "describedBy">>;
}

/** Rows of the same questions, such as one for each child. */
export function RepeatGroup(props: GroupProps) {
  const { field, id, answer, onAnswer } = props;
  const rows = rowsOf(answer);
  const place = useRef<HTMLDivElement>(null);
  const word = field.rowLabel || "Entry";
  const change = (next: Answers[]) => onAnswer(next.length > 0 ? next : null);
  const add = () => {
    change([...rows, { [ROW_ID]: makeId() }]);
    // As soon as it is drawn.
    setTimeout(() =>
      place.current?.querySelector<HTMLElement>("fieldset:last-of-type input, fieldset:last-of-type textarea")?.focus(),
    );
  };
  return (
    <div ref={place}>
      {rows.map((row, index) => (
        <fieldset key={rowIdOf(row) || index} className="form-group-row">
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

type RowProps = GroupProps & { row: Answers; index: number; onRow: (row: Answers) => void };

function Row({ Question, field: group, id, currency, problems, files, row, index, onRow }: RowProps) {
  const { visible, required } = useContext(EvaluationContext);
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
        onAnswer={(value) => onRow(withAnswer(row, field.id, value))}
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
