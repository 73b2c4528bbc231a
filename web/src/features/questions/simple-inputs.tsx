import { useState } from "react";
import type { Of } from "./question-props.ts";

type LineProps = Of<"short_text" | "long_text" | "email" | "phone" | "time">;

const KINDS = {
  short_text: { type: "text" },
  email: { type: "email", inputMode: "email", autoComplete: "email" },
  phone: { type: "tel", inputMode: "tel", autoComplete: "tel" },
  time: { type: "time" },
} as const;

/** A text as it is typed. */
export function LineInput({ field, id, answer, problems, describedBy, onAnswer }: LineProps) {
  const common = {
    id,
    className: "form-input",
    value: typeof answer === "string" ? answer : "",
    "aria-describedby": describedBy,
    "aria-invalid": Boolean(problems[""]) || undefined,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onAnswer(value === "" ? null : value),
  };
  if (field.type === "long_text") return <textarea {...common} rows={5} maxLength={field.maxLength} />;
  const maxLength = field.type === "short_text" ? { maxLength: field.maxLength } : {};
  return <input {...common} {...KINDS[field.type]} {...maxLength} />;
}

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
const signOf = (currency: string): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value ?? currency;

/** What somebody typed as a number; null where it is none. */
function numberIn(text: string): number | null {
  const plain = text.replace(/[\s,\u00A0£$€]/g, "");
  return /^-?\d+(\.\d*)?$|^-?\.\d+$/.test(plain) ? Number(plain) : null;
}

/** A number is stored as one; what is none yet stays as it is typed, and is told of when they go on. */
export function AmountInput({ field, id, answer, currency, problems, describedBy, onAnswer }: Of<"number" | "money">) {
  const scale = field.type === "money" ? 10 ** digitsOf(currency) : 1;
  const shown = typeof answer === "number" ? (answer / scale).toString() : typeof answer === "string" ? answer : "";
  const [text, setText] = useState(shown);
  const read = (typed: string): number | string => {
    const number = numberIn(typed);
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
  return (
    <div className="form-amount">
      {before && <span aria-hidden>{before}</span>}
      <input
        id={id}
        className="form-input"
        inputMode="decimal"
        autoComplete="off"
        value={value}
        aria-describedby={describedBy}
        aria-invalid={Boolean(problems[""]) || undefined}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      {after && <span>{after}</span>}
    </div>
  );
}

const PARTS = [
  { name: "day", label: "Day", at: 2, size: 2 },
  { name: "month", label: "Month", at: 1, size: 2 },
  { name: "year", label: "Year", at: 0, size: 4 },
] as const;

/** Typed as day, month and year, which is quicker on a phone than turning a wheel to 1979. */
export function DayInput({
  field,
  id,
  answer,
  problems,
  describedBy,
  onAnswer,
}: Of<"date" | "birth_date" | "date_time">) {
  const [date = "", time = ""] = typeof answer === "string" ? answer.split("T") : [];
  const given =
    date === "" ? ["", "", ""] : date.split("-").map((part, at) => (at === 0 ? part : part.replace(/^0/, "")));
  const isWrong = Boolean(problems[""]) || undefined;
  const write = (parts: readonly string[], clock: string) => {
    const [year = "", month = "", day = ""] = parts;
    if (parts.every((part) => part === "") && clock === "") return onAnswer(null);
    const written = [year, padded(month), padded(day)].join("-");
    onAnswer(field.type === "date_time" ? `${written}T${clock}` : written);
  };
  return (
    <div className="form-day">
      {PARTS.map(({ name, label, at, size }) => (
        <label key={name} className="form-part" data-size={size}>
          <span>{label}</span>
          <input
            id={name === "day" ? id : undefined}
            className="form-input"
            inputMode="numeric"
            autoComplete={field.type === "birth_date" ? `bday-${name}` : "off"}
            maxLength={size}
            value={given[at] ?? ""}
            aria-describedby={describedBy}
            aria-invalid={isWrong}
            onChange={({ currentTarget: { value } }) => write(given.with(at, value.replace(/\D/g, "")), time)}
          />
        </label>
      ))}
      {field.type === "date_time" && (
        <label className="form-part" data-size={5}>
          <span>Time</span>
          <input
            type="time"
            className="form-input"
            value={time}
            aria-invalid={isWrong}
            onChange={({ currentTarget: { value } }) => write(given, value)}
          />
        </label>
      )}
    </div>
  );
}

const padded = (part: string): string => (part.length === 1 ? `0${part}` : part);
