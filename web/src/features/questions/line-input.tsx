import type { Of } from "./question-props.ts";

type LineProps = Of<"short_text" | "long_text" | "email" | "phone" | "time">;

const KINDS = {
  short_text: { type: "text" },
  email: { type: "email", inputMode: "email", autoComplete: "email" },
  phone: { type: "tel", inputMode: "tel", autoComplete: "tel" },
  time: { type: "time" },
} as const;

/** From here on it is counted. */
const NEAR = 0.9;

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
  if (field.type !== "long_text" && field.type !== "short_text") return <input {...common} {...KINDS[field.type]} />;
  const { maxLength } = field;
  const { length } = common.value.trim();
  const isNear = length > maxLength * NEAR;
  const countId = isNear ? `${id}-count` : undefined;
  const described = { ...common, "aria-describedby": [describedBy, countId].filter(Boolean).join(" ") || undefined };
  return (
    <>
      {field.type === "long_text" ? (
        <textarea {...described} rows={5} />
      ) : (
        <input {...described} {...KINDS[field.type]} />
      )}
      {(isNear || field.type === "long_text") && (
        <p
          id={countId}
          role={isNear ? "status" : undefined}
          className="form-said"
          data-over={length > maxLength || undefined}
        >
          {countWords(length, maxLength, isNear)}
        </p>
      )}
    </>
  );
}

const figures = new Intl.NumberFormat("en-GB");

/** Nothing is cut: what is too long is said, and stays until it is shortened. */
function countWords(length: number, most: number, isNear: boolean): string {
  const limit = `${figures.format(most)} characters`;
  if (!isNear) return `Up to ${limit}`;
  if (length <= most) return `${figures.format(length)} of ${limit}`;
  return `${figures.format(length)} of ${limit}: shorten it by ${figures.format(length - most)}`;
}
