import { moneyText } from "@app/shared/answer-texts";
import { fractionDigits } from "@app/shared/currency-digits";
import { amountIn, signOf } from "@app/shared/typed-amounts";
import { useState } from "react";
import type { Of } from "./question-props.ts";

/** 12.50, where the amount has pence. */
const inFigures = (amount: number, digits: number | null): string =>
  digits === null || Number.isInteger(amount) ? amount.toString() : amount.toFixed(digits);

/** A number is stored as one; what is none yet stays as it is typed, and is told of when they go on. */
export function AmountInput({ field, id, answer, currency, problems, describedBy, onAnswer }: Of<"number" | "money">) {
  const digits = field.type === "money" ? fractionDigits(currency) : null;
  const scale = 10 ** (digits ?? 0);
  const shown =
    typeof answer === "number" ? inFigures(answer / scale, digits) : typeof answer === "string" ? answer : "";
  const [text, setText] = useState(shown);
  const read = (typed: string): number | string => {
    const number = amountIn(typed, digits, field.type === "money" ? currency : null);
    if (number === null) return typed;
    return field.type === "money" ? Math.round(number * scale) : number;
  };
  // Answered elsewhere meanwhile.
  const stands = text.trim() === "" ? undefined : read(text);
  const value = stands === answer ? text : shown;
  const change = (typed: string) => {
    setText(typed);
    onAnswer(typed.trim() === "" ? null : read(typed));
  };
  const before = field.type === "money" ? signOf(currency) : "";
  const after = field.type === "number" ? field.unit : "";
  // As it is kept, so that nobody has to guess how it was read.
  const isUnderstood = digits !== null && typeof answer === "number";
  const understoodId = `${id}-understood`;
  return (
    <div className="form-amount">
      {before && <span aria-hidden>{before}</span>}
      <input
        id={id}
        className="form-input"
        inputMode="decimal"
        autoComplete="off"
        value={value}
        aria-describedby={[describedBy, isUnderstood && understoodId].filter(Boolean).join(" ") || undefined}
        aria-invalid={Boolean(problems[""]) || undefined}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      {after && <span>{after}</span>}
      {isUnderstood && (
        <span id={understoodId} className="form-understood">
          {moneyText(answer, currency)}
        </span>
      )}
    </div>
  );
}
