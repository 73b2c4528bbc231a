// One part of a question each, such as its longest answer, by the name that it has in the form.
import type { Field } from "@app/shared/form-fields";
import { Switch, TextInput } from "@mantine/core";
import { AmountField } from "./amount-field.tsx";
import type { ChangeProps } from "./reader-fields.tsx";

interface NamedProps extends ChangeProps {
  name: string;
  label: string;
}

const valueOf = (field: Field, name: string): unknown => Reflect.get(field, name);
export const withValue =
  (name: string, value: unknown) =>
  (field: Field): Field =>
    name in field ? { ...field, [name]: value } : field;

export const SwitchOf = ({ field, change, name, label }: NamedProps) => (
  <Switch
    label={label}
    checked={valueOf(field, name) === true}
    onChange={({ currentTarget: { checked } }) => change(withValue(name, checked), null)}
  />
);

export function LineOf({ field, change, name, label, pattern }: NamedProps & { pattern?: RegExp }) {
  const value = valueOf(field, name);
  return (
    <TextInput
      label={label}
      maxLength={name === "parameter" ? 40 : name === "unit" ? 20 : 60}
      value={typeof value === "string" ? value : ""}
      onChange={({ currentTarget }) =>
        change(withValue(name, pattern ? currentTarget.value.replaceAll(pattern, "") : currentTarget.value), name)
      }
    />
  );
}

export function DayOf({ field, change, name, label }: NamedProps) {
  const value = valueOf(field, name);
  return (
    <TextInput
      type="date"
      label={label}
      value={typeof value === "string" ? value : ""}
      onChange={({ currentTarget }) => change(withValue(name, currentTarget.value || null), name)}
    />
  );
}

interface CountProps extends NamedProps {
  min?: number;
  max: number;
  canBeEmpty?: boolean;
}

export function CountOf({ field, change, name, label, min = 0, max, canBeEmpty = false }: CountProps) {
  const value = valueOf(field, name);
  return (
    <AmountField
      label={canBeEmpty ? `${label} (optional)` : label}
      currency={null}
      isWhole
      min={min}
      max={max}
      value={typeof value === "number" ? value : null}
      onChange={(next) => {
        if (next !== null || canBeEmpty) change(withValue(name, next === null ? null : Math.max(min, next)), name);
      }}
    />
  );
}
