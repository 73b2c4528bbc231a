import type { Field } from "@app/shared/form-fields";
import { elementOf, focusQuestion, type Problem } from "./problems.ts";

interface Props {
  problems: readonly Problem[];
  fields: readonly Field[];
}

/** All that has to be mended, each a way to its question. */
export function ProblemList({ problems, fields }: Props) {
  const labelOf = ({ path: [id] }: Problem) => headed(fields.find((field) => field.id === id)?.label ?? "");
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
