import type { Field } from "@app/shared/form-fields";
import {
  FILES_PER_FIELD_MAX,
  GROUP_ROWS_MAX,
  LONG_TEXT_MAX_LENGTH,
  MATRIX_ROWS_MAX,
  OPTIONS_MAX,
  SHORT_TEXT_MAX_LENGTH,
} from "@app/shared/form-limits";
import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { AmountField } from "./amount-field.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { GridFields } from "./grid-fields.tsx";
import { GroupFields } from "./group-fields.tsx";
import type { ChangeProps } from "./reader-fields.tsx";
import { SumFields } from "./sum-fields.tsx";

/** What only this type of question has. */
export function TypeFields({ field, change }: ChangeProps) {
  switch (field.type) {
    case "yes_no":
      return <SwitchOf field={field} change={change} name="hasUnsure" label="Offer “I am not sure”" />;
    case "one_of":
      return <OneOfFields field={field} change={change} />;
    case "any_of":
      return (
        <>
          <CountOf field={field} change={change} name="atLeast" label="At least" max={OPTIONS_MAX} canBeEmpty />
          <CountOf field={field} change={change} name="atMost" label="At most" max={OPTIONS_MAX} canBeEmpty />
        </>
      );
    case "picture_choice":
      return (
        <CountOf field={field} change={change} name="atMost" label="At most" min={1} max={OPTIONS_MAX} canBeEmpty />
      );
    case "short_text":
      return (
        <CountOf
          field={field}
          change={change}
          name="maxLength"
          label="Longest answer, in letters"
          min={1}
          max={SHORT_TEXT_MAX_LENGTH}
        />
      );
    case "long_text":
      return (
        <CountOf
          field={field}
          change={change}
          name="maxLength"
          label="Longest answer, in letters"
          min={1}
          max={LONG_TEXT_MAX_LENGTH}
        />
      );
    case "number":
    case "money":
      return <BoundsFields field={field} change={change} />;
    case "date":
    case "date_time":
      return (
        <>
          <DayOf field={field} change={change} name="earliest" label="Earliest day" />
          <DayOf field={field} change={change} name="latest" label="Latest day" />
        </>
      );
    case "rating":
      return (
        <>
          <CountOf field={field} change={change} name="from" label="From" max={1} />
          <CountOf field={field} change={change} name="to" label="To" min={2} max={10} />
          <LineOf field={field} change={change} name="lowLabel" label="What the lowest means" />
          <LineOf field={field} change={change} name="highLabel" label="What the highest means" />
        </>
      );
    case "matrix":
      return (
        <>
          <GridFields field={field} change={change} max={MATRIX_ROWS_MAX} />
          <SwitchOf field={field} change={change} name="isEveryRowNeeded" label="Every row needs an answer" />
        </>
      );
    case "file":
      return (
        <CountOf field={field} change={change} name="atMost" label="Files at most" min={1} max={FILES_PER_FIELD_MAX} />
      );
    case "repeat_group":
      return (
        <>
          <GroupFields field={field} change={change} />
          <LineOf field={field} change={change} name="rowLabel" label="What one of them is called, such as “Child”" />
          <CountOf field={field} change={change} name="atLeast" label="At least" max={GROUP_ROWS_MAX} />
          <CountOf field={field} change={change} name="atMost" label="At most" min={1} max={GROUP_ROWS_MAX} />
        </>
      );
    case "hidden":
      return (
        <LineOf
          field={field}
          change={change}
          name="parameter"
          label="Part of the address, such as “source”"
          pattern={/[^\w-]/g}
        />
      );
    case "calculated":
      return <SumFields field={field} change={change} />;
    default:
      return null;
  }
}

interface NamedProps extends ChangeProps {
  name: string;
  label: string;
}

const valueOf = (field: Field, name: string): unknown => Reflect.get(field, name);
const withValue =
  (name: string, value: unknown) =>
  (field: Field): Field =>
    name in field ? { ...field, [name]: value } : field;

const SwitchOf = ({ field, change, name, label }: NamedProps) => (
  <Switch
    label={label}
    checked={valueOf(field, name) === true}
    onChange={({ currentTarget: { checked } }) => change(withValue(name, checked), null)}
  />
);

function LineOf({ field, change, name, label, pattern }: NamedProps & { pattern?: RegExp }) {
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

function DayOf({ field, change, name, label }: NamedProps) {
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

function CountOf({ field, change, name, label, min = 0, max, canBeEmpty = false }: CountProps) {
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

function OneOfFields({ field, change }: ChangeProps<Extract<Field, { type: "one_of" }>>) {
  return (
    <>
      <NativeSelect
        label="Shown as"
        data={[
          { value: "buttons", label: "A list of answers" },
          { value: "drop_down", label: "A drop-down" },
        ]}
        value={field.display}
        onChange={({ currentTarget: { value } }) => change(withValue("display", value), null)}
      />
      <SwitchOf field={field} change={change} name="hasOther" label="People may write another answer" />
    </>
  );
}

function BoundsFields({ field, change }: ChangeProps<Extract<Field, { type: "number" | "money" }>>) {
  const { content } = useBuilderContext();
  const currency = field.type === "money" ? content.currency : null;
  return (
    <>
      <AmountField
        label="Smallest (optional)"
        currency={currency}
        value={field.min}
        onChange={(min) => change(withValue("min", min), "min")}
      />
      <AmountField
        label="Largest (optional)"
        currency={currency}
        value={field.max}
        onChange={(max) => change(withValue("max", max), "max")}
      />
      {field.type === "number" && (
        <>
          <CountOf field={field} change={change} name="decimals" label="Digits after the point" max={4} />
          <LineOf field={field} change={change} name="unit" label="Unit, such as “hours”" />
        </>
      )}
    </>
  );
}
