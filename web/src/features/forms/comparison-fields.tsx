import type { Field } from "@app/shared/form-fields";
import { isPresence, type Operator, OPERATOR_NAMES, OPERATORS_OF, takesSeveral } from "@app/shared/form-limits";
import type { Comparison } from "@app/shared/form-logic";
import { questionName } from "@app/shared/form-words";
import { NativeSelect } from "@mantine/core";
import { ComparedWith } from "./compared-with.tsx";

interface Props {
  comparison: Comparison;
  readable: readonly Field[];
  onChange: (comparison: Comparison) => void;
}

/** Which question, how it is compared, and with what. */
export function ComparisonFields({ comparison, readable, onChange }: Props) {
  const { fieldId, operator, value } = comparison;
  const field = readable.find(({ id }) => id === fieldId);
  const operators: readonly Operator[] = field ? OPERATORS_OF[field.type] : [];
  const setOperator = (next: Operator) =>
    onChange({ ...comparison, operator: next, value: keptValue(comparison, next) });
  return (
    <div className="rule-comparison">
      <NativeSelect
        size="xs"
        aria-label="Question that is asked about"
        data={[
          ...(field ? [] : [{ value: fieldId, label: "A question that comes later or is gone" }]),
          ...readable.map((one) => ({ value: one.id, label: questionName(one) })),
        ]}
        value={fieldId}
        onChange={({ currentTarget }) => {
          const next = readable.find(({ id }) => id === currentTarget.value);
          const first = next && OPERATORS_OF[next.type][0];
          if (next && first) onChange({ fieldId: next.id, operator: first, value: null });
        }}
      />
      <NativeSelect
        size="xs"
        aria-label="How it is compared"
        data={(operators.length > 0 ? operators : [operator]).map((one) => ({
          value: one,
          label: OPERATOR_NAMES[one],
        }))}
        value={operator}
        onChange={({ currentTarget }) => {
          const next = operators.find((one) => one === currentTarget.value);
          if (next) setOperator(next);
        }}
      />
      {field && !isPresence(operator) && (
        <ComparedWith
          field={field}
          isSeveral={takesSeveral(operator)}
          value={value}
          onChange={(next) => onChange({ ...comparison, value: next })}
        />
      )}
    </div>
  );
}

/** What was chosen stays where the next operator takes it too. */
function keptValue({ operator, value }: Comparison, next: Operator): Comparison["value"] {
  return takesSeveral(operator) === takesSeveral(next) && !isPresence(next) ? value : null;
}
