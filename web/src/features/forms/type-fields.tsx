import type { Field } from "@app/shared/form-fields";
import {
  FILES_PER_FIELD_MAX,
  GROUP_ROWS_MAX,
  LONG_TEXT_MAX_LENGTH,
  MATRIX_ROWS_MAX,
  OPTIONS_MAX,
  SHORT_TEXT_MAX_LENGTH,
} from "@app/shared/form-limits";
import { NativeSelect } from "@mantine/core";
import { AmountField } from "./amount-field.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { GridFields } from "./grid-fields.tsx";
import { GroupFields } from "./group-fields.tsx";
import { CountOf, DayOf, LineOf, SwitchOf, withValue } from "./part-fields.tsx";
import type { ChangeProps } from "./reader-fields.tsx";
import { SumFields } from "./sum-fields.tsx";

/** What only this type of question has. */
export function TypeFields({ field, change }: ChangeProps) {
  const one = { field, change };
  switch (field.type) {
    case "yes_no":
      return <SwitchOf {...one} name="hasUnsure" label="Offer “I am not sure”" />;
    case "one_of":
      return <OneOfFields field={field} change={change} />;
    case "any_of":
      return <AnyOfFields {...one} />;
    case "picture_choice":
      return <CountOf {...one} name="atMost" label="At most" min={1} max={OPTIONS_MAX} canBeEmpty />;
    case "short_text":
      return <LengthOf {...one} max={SHORT_TEXT_MAX_LENGTH} />;
    case "long_text":
      return <LengthOf {...one} max={LONG_TEXT_MAX_LENGTH} />;
    case "number":
    case "money":
      return <BoundsFields field={field} change={change} />;
    case "date":
    case "date_time":
      return <DayFields {...one} />;
    case "rating":
      return <RatingFields {...one} />;
    case "matrix":
      return (
        <>
          <GridFields field={field} change={change} max={MATRIX_ROWS_MAX} />
          <SwitchOf {...one} name="isEveryRowNeeded" label="Every row needs an answer" />
        </>
      );
    case "file":
      return <CountOf {...one} name="atMost" label="Files at most" min={1} max={FILES_PER_FIELD_MAX} />;
    case "repeat_group":
      return (
        <>
          <GroupFields field={field} change={change} />
          <LineOf {...one} name="rowLabel" label="What one of them is called, such as “Child”" />
          <CountOf {...one} name="atLeast" label="At least" max={GROUP_ROWS_MAX} />
          <CountOf {...one} name="atMost" label="At most" min={1} max={GROUP_ROWS_MAX} />
        </>
      );
    case "hidden":
      return <LineOf {...one} name="parameter" label="Part of the address, such as “source”" pattern={/[^\w-]/g} />;
    case "calculated":
      return <SumFields field={field} change={change} />;
    default:
      return null;
  }
}

const LengthOf = ({ max, ...one }: ChangeProps & { max: number }) => (
  <CountOf {...one} name="maxLength" label="Longest answer, in letters" min={1} max={max} />
);

const AnyOfFields = (one: ChangeProps) => (
  <>
    <CountOf {...one} name="atLeast" label="At least" max={OPTIONS_MAX} canBeEmpty />
    <CountOf {...one} name="atMost" label="At most" max={OPTIONS_MAX} canBeEmpty />
  </>
);

const DayFields = (one: ChangeProps) => (
  <>
    <DayOf {...one} name="earliest" label="Earliest day" />
    <DayOf {...one} name="latest" label="Latest day" />
  </>
);

const RatingFields = (one: ChangeProps) => (
  <>
    <CountOf {...one} name="from" label="From" max={1} />
    <CountOf {...one} name="to" label="To" min={2} max={10} />
    <LineOf {...one} name="lowLabel" label="What the lowest means" />
    <LineOf {...one} name="highLabel" label="What the highest means" />
  </>
);

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
        {...(field.type === "money" ? { description: "Enter an amount with a minus where people may." } : {})}
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
