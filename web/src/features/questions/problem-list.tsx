import type { Field } from "@app/shared/form-fields";
import { elementOf, focusQuestion, type Problem } from "./problems.ts";

interface Props {
  problems: readonly Problem[];
  fields: readonly Field[];
}

/** All that has to be mended, each a way to its question. */
export function ProblemList({ problems, fields }: Props) {
  const labelOf = ({ path: [id, row, part] }: Problem) => {
    const field = fields.find((one) => one.id === id);
    if (field?.type !== "repeat_group" || typeof row !== "number") return headed(field?.label ?? "");
    const asked = field.fields.find((one) => one.id === part)?.label ?? "";
    return headed(`${field.label}, ${field.rowLabel || "Entry"} ${row + 1}, ${asked}`);
  };
  if (problems.length === 0) return null;
  const many = problems.length === 1 ? "1 question" : `${problems.length} questions`;
  return (
    <div role="alert" className="form-problems">
      <h2>Please look at {many}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem.path.join(".")}>
            <a
              href={`#${elementOf(problem)}`}
              onClick={(event) => {
                event.preventDefault();
                focusQuestion(elementOf(problem));
              }}
            >
              {labelOf(problem)} <span>{problem.message}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A question mark is enough of a pause before what is said of it. */
const headed = (label: string): string => (/[?:.!]$/.test(label) ? label : `${label}:`);
