import { type Answers, answerTo, rowsOf, withAnswer } from "@app/shared/form-answers";
import { ROW_ID, rowIdOf } from "@app/shared/form-rows";
import { type ComponentType, useContext, useRef, useState } from "react";
import { rowKey } from "@app/shared/form-evaluation";
import { makeId } from "../../core/new-id.ts";
import { EvaluationContext } from "./evaluation-context.ts";
import type { Of, QuestionProps } from "./question-props.ts";

interface GroupProps extends Of<"repeat_group"> {
  /** What draws a question of a row: it draws groups too, so it comes from whoever asks. */
  Question: ComponentType<Omit<QuestionProps, "describedBy">>;
}

/** A second tap so soon is meant for the row that went. */
const TAPPED_TWICE_MS = 500;

interface Gone {
  row: Answers;
  index: number;
  at: number;
}

/** Rows of the same questions, such as one for each child. */
export function RepeatGroup(props: GroupProps) {
  const { field, id } = props;
  const { place, undo, rows, gone, change, add, takeOut, bringBack } = useRows(props);
  const word = field.rowLabel || "Entry";
  const isFull = rows.length >= field.atMost;
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
            onClick={() => takeOut(row, index)}
          >
            Take out
          </button>
        </fieldset>
      ))}
      <div role="status" className="form-said">
        {gone && `${word} ${gone.index + 1} was taken out.`}
        {isFull && ` That is all that fits here: ${field.atMost} at most.`}
      </div>
      {gone && (
        <button ref={undo} type="button" className="form-small-button" onClick={() => bringBack(gone)}>
          Undo<span className="form-unseen">: bring back {`${word} ${gone.index + 1}`}</span>
        </button>
      )}
      <button type="button" id={id} className="form-add" disabled={isFull} onClick={add}>
        Add {rows.length === 0 ? "one" : "another"}
        <span className="form-unseen">: {word}</span>
      </button>
    </div>
  );
}

/** The rows that stand there, and what can be done to them. */
function useRows({ field, answer, onAnswer }: GroupProps) {
  const [first, setFirst] = useState<Answers>(() => ({ [ROW_ID]: makeId() }));
  const kept = rowsOf(answer);
  // Where one is needed, its questions stand there.
  const rows = kept.length === 0 && field.atLeast > 0 ? [first] : kept;
  const [takenOut, setGone] = useState<Gone | null>(null);
  // Somebody may have answered in it on another screen, and so brought it back.
  const gone = takenOut && kept.some((row) => rowIdOf(row) === rowIdOf(takenOut.row)) ? null : takenOut;
  const place = useRef<HTMLDivElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const change = (next: Answers[]) => onAnswer(next.length > 0 ? next : null);
  const focusRow = (index: number) =>
    // As soon as it is drawn.
    setTimeout(() =>
      place.current?.querySelectorAll("fieldset.form-group-row")[index]?.querySelector<HTMLElement>(INPUTS)?.focus(),
    );
  const isSecondTap = () => gone !== null && performance.now() - gone.at < TAPPED_TWICE_MS;
  return {
    place,
    undo,
    rows,
    gone,
    change,
    add: () => {
      setGone(null);
      change([...rows, { [ROW_ID]: makeId() }]);
      focusRow(rows.length);
    },
    takeOut: (row: Answers, index: number) => {
      if (isSecondTap()) return;
      change(rows.toSpliced(index, 1));
      // What stands there in its place is another row than the one that may come back.
      setFirst({ [ROW_ID]: makeId() });
      setGone({ row, index, at: performance.now() });
      setTimeout(() => undo.current?.focus());
    },
    bringBack: ({ row, index }: Gone) => {
      if (isSecondTap()) return;
      setGone(null);
      change(kept.toSpliced(index, 0, row));
      focusRow(index);
    },
  };
}

const INPUTS = "input, textarea, select";

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
