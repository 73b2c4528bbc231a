// Kinds of questions that few forms have.
import { choicesOf, partOf } from "@app/shared/form-answers";
import { FORM_PICTURES_ADDRESS } from "@app/shared/form-limits";
import { Option } from "./choice-inputs.tsx";
import type { Of } from "./question-props.ts";

/** A choice in each row; on a phone the rows stand one under the other. */
export function MatrixInput({ field, id, answer, problems, onAnswer }: Of<"matrix">) {
  const choose = (row: string, choice: string) => {
    const rows = field.rows.map(({ value }) => [value, value === row ? choice : partOf(answer, value)] as const);
    onAnswer(Object.fromEntries(rows.filter(([, chosen]) => chosen !== "")));
  };
  return field.rows.map(({ value: row, label }) => (
    <fieldset key={row} className="form-row">
      <legend>{label}</legend>
      <div className="form-row-choices">
        {field.columns.map(({ value, label: column }) => (
          <Option
            key={value}
            type="radio"
            name={`${id}-${row}`}
            isChosen={partOf(answer, row) === value}
            isWrong={Boolean(problems[""])}
            onChange={() => choose(row, value)}
          >
            {column}
          </Option>
        ))}
      </div>
    </fieldset>
  ));
}

/** Put in order by buttons, which every hand and every keyboard can press. */
export function RankingInput({ field, answer, onAnswer }: Of<"ranking">) {
  const chosen = choicesOf(answer);
  const order = [...chosen, ...field.options.map(({ value }) => value).filter((value) => !chosen.includes(value))];
  const isAnswered = chosen.length > 0;
  const move = (from: number, to: number) => {
    const next = [...order];
    const [moved] = next.splice(from, 1);
    if (moved === undefined) return;
    next.splice(to, 0, moved);
    onAnswer(next);
  };
  return (
    <>
      <ol className="form-ranking">
        {order.map((value, index) => {
          const label = field.options.find((option) => option.value === value)?.label ?? value;
          return (
            <li key={value}>
              <span>{label}</span>
              <button
                type="button"
                className="form-small-button"
                disabled={index === 0}
                aria-label={`Move “${label}” up`}
                onClick={() => move(index, index - 1)}
              >
                Up
              </button>
              <button
                type="button"
                className="form-small-button"
                disabled={index === order.length - 1}
                aria-label={`Move “${label}” down`}
                onClick={() => move(index, index + 1)}
              >
                Down
              </button>
            </li>
          );
        })}
      </ol>
      {!isAnswered && (
        <button type="button" className="form-small-button" onClick={() => onAnswer(order)}>
          This order is right
        </button>
      )}
    </>
  );
}

/** Pictures with their words; each counts by itself. */
export function PictureInput({ field, id, answer, problems, onAnswer }: Of<"picture_choice">) {
  const chosen = choicesOf(answer);
  const isOne = field.atMost === 1;
  const change = (value: string, isChosen: boolean) => {
    if (isOne) return onAnswer([value]);
    const next = field.options
      .map((option) => option.value)
      .filter((one) => (one === value ? isChosen : chosen.includes(one)));
    onAnswer(next.length > 0 ? next : null);
  };
  return (
    <div className="form-pictures">
      {field.options.map(({ value, label, pictureId, alt = "" }) => (
        <Option
          key={value}
          type={isOne ? "radio" : "checkbox"}
          name={id}
          isChosen={chosen.includes(value)}
          isWrong={Boolean(problems[""])}
          onChange={(isChosen) => change(value, isChosen)}
        >
          {pictureId && <img src={`${FORM_PICTURES_ADDRESS}/${pictureId}`} alt={alt} />}
          {label}
        </Option>
      ))}
    </div>
  );
}
