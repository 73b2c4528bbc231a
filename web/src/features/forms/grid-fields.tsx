import type { Field } from "@app/shared/form-fields";
import { OPTIONS_MAX } from "@app/shared/form-limits";
import { AnswerList } from "./answer-list.tsx";
import { freeId } from "./form-ids.ts";
import { moved } from "./option-edits.ts";
import type { ChangeProps } from "./reader-fields.tsx";

type Grid = Extract<Field, { type: "matrix" }>;
type Parts = "rows" | "columns";

/** The rows that are asked, and the answers in each. */
export function GridFields({ field, change, max }: ChangeProps<Grid> & { max: number }) {
  const set = (part: Parts, how: (grid: Grid) => Partial<Grid>, about: string | null = null) =>
    change((one) => (one.type === "matrix" ? { ...one, ...how(one) } : one), about && `${part}.${about}`);
  const free = (part: Parts, stem: string) => freeId(new Set(field[part].map(({ value }) => value)), stem);
  return (
    <>
      <AnswerList
        title="Rows"
        one="Row"
        max={max}
        answers={field.rows}
        onLabel={(value, label) =>
          set(
            "rows",
            ({ rows }) => ({ rows: rows.map((row) => (row.value === value ? { ...row, label } : row)) }),
            value,
          )
        }
        onAdd={() => set("rows", ({ rows }) => ({ rows: [...rows, { value: free("rows", "row"), label: "" }] }))}
        onMove={(value, by) => set("rows", ({ rows }) => ({ rows: moved(rows, value, by) }))}
        onRemove={(value) => set("rows", ({ rows }) => ({ rows: rows.filter((row) => row.value !== value) }))}
      />
      <AnswerList
        title="Answers in each row"
        one="Answer"
        max={OPTIONS_MAX}
        answers={field.columns}
        onLabel={(value, label) =>
          set(
            "columns",
            ({ columns }) => ({ columns: columns.map((one) => (one.value === value ? { ...one, label } : one)) }),
            value,
          )
        }
        onAdd={() =>
          set("columns", ({ columns }) => ({
            columns: [...columns, { value: free("columns", "answer"), label: "", score: null }],
          }))
        }
        onMove={(value, by) => set("columns", ({ columns }) => ({ columns: moved(columns, value, by) }))}
        onRemove={(value) =>
          set("columns", ({ columns }) => ({ columns: columns.filter((one) => one.value !== value) }))
        }
        onScore={(value, score) =>
          set(
            "columns",
            ({ columns }) => ({ columns: columns.map((one) => (one.value === value ? { ...one, score } : one)) }),
            `${value}.score`,
          )
        }
      />
    </>
  );
}
