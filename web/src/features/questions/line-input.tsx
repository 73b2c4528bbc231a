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
