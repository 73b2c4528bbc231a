import { choicesOf } from "@app/shared/form-answers";
import { AGREED, YES_NO_NAMES } from "@app/shared/form-limits";
import { OTHER_PREFIX } from "@app/shared/other-answer";
import { type ReactNode, useState } from "react";
import type { Of } from "./question-props.ts";

interface OptionProps {
  type: "radio" | "checkbox";
  name: string;
  isChosen: boolean;
  isWrong?: boolean;
  onChange: (isChosen: boolean) => void;
  children: ReactNode;
}

/** A choice as large as a thumb, of which the whole surface counts. */
export const Option = ({ type, name, isChosen, isWrong, onChange, children }: OptionProps) => (
  <label className="form-option" data-chosen={isChosen || undefined}>
    <input
      type={type}
      name={name}
      checked={isChosen}
      aria-invalid={isWrong || undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);

type ChoiceProps = Of<"yes_no" | "one_of" | "rating">;

/** Exactly one of several; nothing is chosen until somebody does. */
export function ChoiceInput(props: ChoiceProps) {
  const { field } = props;
  if (field.type === "rating") return <RatingInput {...props} field={field} />;
  if (field.type === "one_of") return <OneOfInput {...props} field={field} />;
  const choices = field.hasUnsure ? (["yes", "no", "unsure"] as const) : (["yes", "no"] as const);
  return choices.map((choice) => (
    <Option
      key={choice}
      type="radio"
      name={props.id}
      isChosen={props.answer === choice}
      isWrong={Boolean(props.problems[""])}
      onChange={() => props.onAnswer(choice)}
    >
      {YES_NO_NAMES[choice]}
    </Option>
  ));
}

function OneOfInput(props: Of<"one_of">) {
  const { field, answer, onAnswer } = props;
  const other =
    typeof answer === "string" && answer.startsWith(OTHER_PREFIX) ? answer.slice(OTHER_PREFIX.length) : null;
  const [isOther, setIsOther] = useState(other !== null);
  const choose = (value: string) => {
    setIsOther(value === OTHER_PREFIX);
    onAnswer(value === OTHER_PREFIX || value === "" ? null : value);
  };
  const Choices = field.display === "drop_down" ? OneOfList : OneOfButtons;
  return (
    <>
      <Choices {...props} isOther={isOther} onChoose={choose} />
      {isOther && (
        <input
          className="form-input"
          aria-label={`${field.label}: your own answer`}
          value={other ?? ""}
          maxLength={190}
          onChange={({ currentTarget: { value } }) => onAnswer(value === "" ? null : `${OTHER_PREFIX}${value}`)}
        />
      )}
    </>
  );
}

interface OneOfProps extends Of<"one_of"> {
  isOther: boolean;
  /** One of the options, OTHER_PREFIX for an answer of their own, or nothing. */
  onChoose: (value: string) => void;
}

const OneOfList = ({ field, id, answer, problems, describedBy, isOther, onChoose }: OneOfProps) => (
  <select
    id={id}
    className="form-input"
    aria-describedby={describedBy}
    aria-invalid={Boolean(problems[""]) || undefined}
    value={isOther ? OTHER_PREFIX : typeof answer === "string" ? answer : ""}
    onChange={({ currentTarget: { value } }) => onChoose(value)}
  >
    <option value="">Choose</option>
    {field.options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
    {field.hasOther && <option value={OTHER_PREFIX}>Another answer</option>}
  </select>
);

function OneOfButtons({ field, id, answer, problems, isOther, onChoose }: OneOfProps) {
  const shared = { type: "radio", name: id, isWrong: Boolean(problems[""]) } as const;
  return (
    <>
      {field.options.map(({ value, label }) => (
        <Option key={value} {...shared} isChosen={!isOther && answer === value} onChange={() => onChoose(value)}>
          {label}
        </Option>
      ))}
      {field.hasOther && (
        <Option {...shared} isChosen={isOther} onChange={() => onChoose(OTHER_PREFIX)}>
          Another answer
        </Option>
      )}
    </>
  );
}

function RatingInput({ field, id, answer, problems, onAnswer }: Of<"rating">) {
  const numbers = Array.from({ length: field.to - field.from + 1 }, (_, index) => field.from + index);
  return (
    <>
      <div className="form-rating">
        {numbers.map((number) => (
          <label key={number} className="form-rating-choice" data-chosen={answer === number || undefined}>
            <input
              type="radio"
              name={id}
              checked={answer === number}
              aria-invalid={Boolean(problems[""]) || undefined}
              onChange={() => onAnswer(number)}
            />
            {number}
          </label>
        ))}
      </div>
      {(field.lowLabel || field.highLabel) && (
        <div className="form-rating-ends">
          <span>{field.lowLabel && `${field.from}: ${field.lowLabel}`}</span>
          <span>{field.highLabel && `${field.to}: ${field.highLabel}`}</span>
        </div>
      )}
    </>
  );
}

/** Any number of several, or the one box of a consent. */
export function ManyInput(props: Of<"any_of" | "consent">) {
  const { field, id, answer, problems, onAnswer } = props;
  const isWrong = Boolean(problems[""]);
  if (field.type === "consent")
    return (
      <>
        {field.text && <p className="form-consent">{field.text}</p>}
        <Option
          type="checkbox"
          name={id}
          isChosen={answer === AGREED}
          isWrong={isWrong}
          onChange={(isChosen) => onAnswer(isChosen ? AGREED : null)}
        >
          I agree
        </Option>
      </>
    );
  const chosen = choicesOf(answer);
  const change = (value: string, isChosen: boolean) => {
    const next = field.options
      .map((option) => option.value)
      .filter((one) => (one === value ? isChosen : chosen.includes(one)));
    onAnswer(next.length > 0 ? next : null);
  };
  return field.options.map(({ value, label }) => (
    <Option
      key={value}
      type="checkbox"
      name={id}
      isChosen={chosen.includes(value)}
      isWrong={isWrong}
      onChange={(isChosen) => change(value, isChosen)}
    >
      {label}
    </Option>
  ));
}
