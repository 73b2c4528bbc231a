import { Radio } from "@mantine/core";
import "./choice-field.css";

interface Props<Choice extends string> {
  label: string;
  /** In their order, each with its word. */
  choices: Record<Choice, string>;
  value: string;
  error: string | undefined;
  /** One under the other, where they are more than a word. */
  isTall?: boolean;
  onChange: (choice: Choice) => void;
}

/** One of a few, none of them chosen until somebody does. */
export function ChoiceField<Choice extends string>({ label, choices, value, error, isTall, onChange }: Props<Choice>) {
  const isChoice = (chosen: string): chosen is Choice => Object.hasOwn(choices, chosen);
  const choose = (chosen: string) => {
    if (isChoice(chosen)) onChange(chosen);
  };
  return (
    <Radio.Group label={label} value={value} error={error} onChange={choose} className="choice-field">
      <div className="choice-field-choices" data-tall={isTall || undefined}>
        {Object.entries<string>(choices).map(([choice, word]) => (
          <Radio key={choice} value={choice} label={word} aria-invalid={error !== undefined} />
        ))}
      </div>
    </Radio.Group>
  );
}
