import { Radio, Stack } from "@mantine/core";

interface Props<Choice extends string> {
  label: string;
  description?: string;
  /** The choices with their words. */
  words: Readonly<Record<Choice, string>>;
  choices: readonly Choice[];
  /** Empty until somebody chooses. */
  value: Choice | "";
  error: string | undefined;
  onChange: (choice: Choice) => void;
}

/** One of a few, of which none is chosen beforehand. */
export function ChoiceField<Choice extends string>(props: Props<Choice>) {
  const { label, description, words, choices, value, error, onChange } = props;
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each === chosen);
    if (choice !== undefined) onChange(choice);
  };
  return (
    <Radio.Group label={label} description={description} value={value} error={error} onChange={choose}>
      <Stack gap="xs" pt="xs">
        {choices.map((choice) => (
          <Radio key={choice} value={choice} label={words[choice]} aria-invalid={error !== undefined} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
