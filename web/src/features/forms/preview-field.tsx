import { type Answers, type AnswerValue, choicesOf, partOf, rowsOf } from "@app/shared/form-answers";
import { type Evaluation, rowKey } from "@app/shared/form-evaluation";
import type { AskedField, Field, InnerField } from "@app/shared/form-fields";
import { AGREED, YES_NO_NAMES } from "@app/shared/form-limits";
import { formatMoney } from "@app/shared/money";
import { Button, Checkbox, Group, Radio, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { AmountField } from "./amount-field.tsx";

interface Props {
  field: Field;
  evaluated: Evaluation;
  answer: AnswerValue | undefined;
  currency: string;
  error: string | undefined;
  onAnswer: (answer: AnswerValue | undefined) => void;
}

export function PreviewField(props: Props) {
  const { field, evaluated, currency } = props;
  if (field.type === "hidden") return null;
  if (field.type === "statement")
    return (
      <div>
        {field.label && <h4>{field.label}</h4>}
        <p className="preview-text">{field.text}</p>
      </div>
    );
  if (field.type === "calculated") {
    const sum = evaluated.answers[field.id];
    const amount = typeof sum === "number" ? sum : 0;
    return (
      <p>
        <strong>{field.label}</strong>:{" "}
        {field.unit === "money" ? formatMoney({ amountMinor: amount, currency }, "en-GB") : amount}
      </p>
    );
  }
  if (field.type === "repeat_group") return <PreviewGroup {...props} field={field} />;
  return <PreviewAnswer {...props} field={field} isNeeded={evaluated.required.has(field.id)} />;
}

type Single = Exclude<AskedField | InnerField, { type: "repeat_group" }>;

interface AnswerProps extends Omit<Props, "field" | "evaluated"> {
  field: Single;
  isNeeded: boolean;
}

const INPUT_TYPES = new Map<Field["type"], string>([
  ["date", "date"],
  ["birth_date", "date"],
  ["time", "time"],
  ["date_time", "datetime-local"],
  ["email", "email"],
  ["phone", "tel"],
]);
const PARTS = new Map<Field["type"], readonly [part: string, label: string][]>([
  [
    "name",
    [
      ["first", "First name"],
      ["last", "Last name"],
    ],
  ],
  [
    "address",
    [
      ["line1", "Address"],
      ["line2", "Second line"],
      ["town", "Town"],
      ["postcode", "Postcode"],
      ["country", "Country"],
    ],
  ],
  [
    "contact",
    [
      ["name", "Name"],
      ["relation", "Who they are to you"],
      ["email", "Email"],
      ["phone", "Phone"],
    ],
  ],
]);

function PreviewAnswer({ field, isNeeded, answer, currency, error, onAnswer }: AnswerProps) {
  const label = isNeeded ? field.label : `${field.label} (optional)`;
  const named = { label, description: field.help || undefined, error };
  const text = typeof answer === "string" ? answer : "";
  const say = (value: string | null) => onAnswer(value || undefined);
  if (field.type === "yes_no" || (field.type === "one_of" && field.display === "buttons")) {
    return (
      <Radio.Group {...named} value={text} onChange={say}>
        <Stack gap="sm" mt="xs">
          {optionsOf(field).map(({ value, label: words }) => (
            <Radio key={value} value={value} label={words} />
          ))}
        </Stack>
      </Radio.Group>
    );
  }
  if (field.type === "one_of")
    return <Select {...named} data={[...optionsOf(field)]} value={text || null} onChange={say} clearable size="lg" />;
  if (field.type === "any_of" || field.type === "picture_choice")
    return (
      <Checkbox.Group
        {...named}
        value={choicesOf(answer)}
        onChange={(chosen) => onAnswer(chosen.length > 0 ? chosen : undefined)}
      >
        <Stack gap="sm" mt="xs">
          {optionsOf(field).map(({ value, label: words }) => (
            <Checkbox key={value} value={value} label={words} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  if (field.type === "consent")
    return (
      <Checkbox
        label={field.text || label}
        error={error}
        checked={text === AGREED}
        onChange={({ currentTarget: { checked } }) => say(checked ? AGREED : null)}
      />
    );
  if (field.type === "number" || field.type === "money" || field.type === "rating")
    return (
      <div>
        <AmountField
          label={label}
          currency={field.type === "money" ? currency : null}
          value={typeof answer === "number" ? answer : null}
          onChange={(amount) => onAnswer(amount ?? undefined)}
        />
        {error && <p className="preview-error">{error}</p>}
      </div>
    );
  if (field.type === "long_text")
    return (
      <Textarea {...named} autosize minRows={4} value={text} onChange={(event) => say(event.currentTarget.value)} />
    );
  const parts = PARTS.get(field.type);
  if (parts) return <PreviewParts {...{ parts, label, error, answer, onAnswer }} />;
  if (field.type === "matrix") return <PreviewGrid {...{ field, label, error, answer, onAnswer }} />;
  if (field.type === "file" || field.type === "signature" || field.type === "ranking")
    return (
      <div>
        <strong>{label}</strong>
        <p className="preview-text">{LATER_WORDS[field.type]}</p>
      </div>
    );
  return (
    <TextInput
      {...named}
      size="lg"
      type={INPUT_TYPES.get(field.type) ?? "text"}
      value={text}
      onChange={(event) => say(event.currentTarget.value)}
    />
  );
}

const LATER_WORDS = {
  file: "People add a file here. It cannot be tried out in the preview.",
  signature: "People sign here, drawn or typed. It cannot be tried out in the preview.",
  ranking: "People put the answers in order here. It cannot be tried out in the preview.",
} as const;

function optionsOf(field: Single): readonly { value: string; label: string }[] {
  if ("options" in field) return field.options;
  if (field.type !== "yes_no") return [];
  const words = [
    { value: "yes", label: YES_NO_NAMES.yes },
    { value: "no", label: YES_NO_NAMES.no },
  ];
  return field.hasUnsure ? [...words, { value: "unsure", label: YES_NO_NAMES.unsure }] : words;
}

interface PartsProps extends Pick<AnswerProps, "answer" | "onAnswer" | "error"> {
  label: string;
}

function PreviewParts({ parts, label, error, answer, onAnswer }: PartsProps & { parts: readonly [string, string][] }) {
  const values = Object.fromEntries(parts.map(([part]) => [part, partOf(answer, part)]));
  return (
    <fieldset className="preview-set">
      <legend>{label}</legend>
      {parts.map(([part, words]) => (
        <TextInput
          key={part}
          size="lg"
          label={words}
          value={values[part] ?? ""}
          onChange={({ currentTarget: { value } }) => onAnswer({ ...values, [part]: value })}
        />
      ))}
      {error && <p className="preview-error">{error}</p>}
    </fieldset>
  );
}

function PreviewGrid({
  field,
  label,
  error,
  answer,
  onAnswer,
}: PartsProps & { field: Extract<Field, { type: "matrix" }> }) {
  const kept = Object.fromEntries(
    field.rows.map(({ value }) => [value, partOf(answer, value)] as const).filter(([, chosen]) => chosen !== ""),
  );
  return (
    <fieldset className="preview-set">
      <legend>{label}</legend>
      {field.rows.map((row) => (
        <Radio.Group
          key={row.value}
          label={row.label}
          value={kept[row.value] ?? ""}
          onChange={(chosen) => onAnswer({ ...kept, [row.value]: chosen })}
        >
          <Group gap="md" mt="xs">
            {field.columns.map(({ value, label: words }) => (
              <Radio key={value} value={value} label={words} />
            ))}
          </Group>
        </Radio.Group>
      ))}
      {error && <p className="preview-error">{error}</p>}
    </fieldset>
  );
}

function PreviewGroup({
  field,
  evaluated,
  answer,
  currency,
  error,
  onAnswer,
}: Props & { field: Extract<Field, { type: "repeat_group" }> }) {
  const rows = rowsOf(answer);
  const name = field.rowLabel || "One";
  const set = (index: number, row: Answers) => onAnswer(rows.with(index, row));
  return (
    <fieldset className="preview-set">
      <legend>{field.label}</legend>
      {field.help && <p className="preview-text">{field.help}</p>}
      {rows.map((row, index) => (
        // Rows have no names, and stand in their order.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={index} className="preview-set">
          <legend>
            {name} {index + 1}
          </legend>
          {field.fields
            .filter(({ id }) => evaluated.visible.has(rowKey(field.id, index, id)))
            .map((inner) => (
              <PreviewAnswer
                key={inner.id}
                field={inner}
                isNeeded={evaluated.required.has(rowKey(field.id, index, inner.id))}
                answer={row[inner.id]}
                currency={currency}
                error={undefined}
                onAnswer={(value) => {
                  const { [inner.id]: _before, ...others } = row;
                  set(index, value === undefined ? others : { ...others, [inner.id]: value });
                }}
              />
            ))}
          <Button variant="subtle" onClick={() => onAnswer(rows.toSpliced(index, 1))}>
            Take out {name.toLowerCase()} {index + 1}
          </Button>
        </fieldset>
      ))}
      {rows.length < field.atMost && (
        <Button variant="default" size="lg" onClick={() => onAnswer([...rows, {}])}>
          Add {name.toLowerCase()}
        </Button>
      )}
      {error && <p className="preview-error">{error}</p>}
    </fieldset>
  );
}
