import { monthIn } from "@app/shared/day-words";
import { asciiDigits } from "@app/shared/typed-digits";
import { useState } from "react";
import type { Of } from "./question-props.ts";

const PARTS = [
  { name: "day", label: "Day", at: 2, size: 2, longest: 2 },
  { name: "month", label: "Month", at: 1, size: 2, longest: 9 },
  { name: "year", label: "Year", at: 0, size: 4, longest: 4 },
] as const;

/** A whole date in the box of the day, as it is pasted. */
const WHOLE_DAY = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/;

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
  // As it is typed: June is a month already when its e is still to come.
  const [typedMonth, setTypedMonth] = useState("");
  const month = monthIn(typedMonth) === given[1] ? typedMonth : (given[1] ?? "");
  const isWrong = Boolean(problems[""]) || undefined;
  const write = (parts: readonly string[], clock: string) => {
    const [year = "", month = "", day = ""] = parts;
    if (parts.every((part) => part === "") && clock === "") return onAnswer(null);
    const written = [year, padded(month), padded(day)].join("-");
    onAnswer(field.type === "date_time" ? `${written}T${clock}` : written);
  };
  const writePart = (at: number, typed: string) => {
    const whole = WHOLE_DAY.exec(asciiDigits(typed).trim());
    if (whole) {
      setTypedMonth("");
      return write([whole[3] ?? "", whole[2] ?? "", whole[1] ?? ""], time);
    }
    // Without the signs that stand between the parts, and before the time.
    const text = asciiDigits(typed).replaceAll("-", "").toLowerCase();
    if (at === 1) setTypedMonth(text);
    write(given.with(at, at === 1 ? monthIn(text) : text), time);
  };
  return (
    <div className="form-day">
      {PARTS.map(({ name, label, at, size, longest }) => (
        <label key={name} className="form-part" data-size={size}>
          <span>{label}</span>
          <input
            id={name === "day" ? id : undefined}
            className="form-input"
            inputMode="numeric"
            autoComplete={field.type === "birth_date" ? `bday-${name}` : "off"}
            maxLength={name === "day" ? undefined : longest}
            value={name === "month" ? month : (given[at] ?? "")}
            aria-describedby={describedBy}
            aria-invalid={isWrong}
            onChange={({ currentTarget: { value } }) => writePart(at, value)}
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
