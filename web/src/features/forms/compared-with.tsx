import type { Field } from "@app/shared/form-fields";
import { type Operator, OPERATORS_OF, OPTION_MAX_LENGTH, YES_NO_NAMES } from "@app/shared/form-limits";
import type { Comparison } from "@app/shared/form-logic";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { AmountField } from "./amount-field.tsx";

type Value = Comparison["value"];

interface Props {
  field: Field;
  isSeveral: boolean;
  value: Value;
  onChange: (value: Value) => void;
}

interface Choice {
  value: string;
  label: string;
}

function choicesOf(field: Field): readonly Choice[] {
  if (field.type === "yes_no")
    return [
      { value: "yes", label: YES_NO_NAMES.yes },
      { value: "no", label: YES_NO_NAMES.no },
      ...(field.hasUnsure ? [{ value: "unsure", label: YES_NO_NAMES.unsure }] : []),
    ];
  return "options" in field ? field.options : [];
}

const isCounted = ({ type }: Field): boolean => {
  const operators: readonly Operator[] = OPERATORS_OF[type];
  return operators.includes("gt");
};
const isMoney = (field: Field) => field.type === "money" || (field.type === "calculated" && field.unit === "money");
const INPUT_TYPES = new Map([
  ["date", "date"],
  ["birth_date", "date"],
  ["time", "time"],
  ["date_time", "datetime-local"],
]);
const LABEL = "What it is compared with";

/** The answer that a rule looks for: nothing is chosen until somebody does. */
export function ComparedWith({ field, isSeveral, value, onChange }: Props) {
  const { content } = useBuilderContext();
  const choices = choicesOf(field);
  if (isSeveral) return <SeveralChoices choices={choices} value={value} onChange={onChange} />;
  if (choices.length > 0)
    return (
      <NativeSelect
        size="xs"
        aria-label={LABEL}
        data={[
          { value: "", label: "Choose an answer" },
          ...choices.map((one) => ({ value: one.value, label: one.label || "Answer without words" })),
        ]}
        value={typeof value === "string" ? value : ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    );
  if (isCounted(field))
    return (
      <AmountField
        aria-label={LABEL}
        size="xs"
        currency={isMoney(field) ? content.currency : null}
        value={typeof value === "number" ? value : null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      size="xs"
      type={INPUT_TYPES.get(field.type) ?? "text"}
      aria-label={LABEL}
      maxLength={OPTION_MAX_LENGTH}
      value={typeof value === "string" ? value : ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  );
}

function SeveralChoices({
  choices,
  value,
  onChange,
}: { choices: readonly Choice[] } & Pick<Props, "value" | "onChange">) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (one: string) => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
    onChange(next.length > 0 ? next : null);
  };
  return (
    <div role="group" aria-label={LABEL} className="rule-choices">
      {choices.map((one) => (
        <Checkbox
          key={one.value}
          size="xs"
          label={one.label || "Answer without words"}
          checked={chosen.includes(one.value)}
          onChange={() => toggle(one.value)}
        />
      ))}
    </div>
  );
}
