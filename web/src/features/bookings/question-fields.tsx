import { type Question, QUESTION_KIND_NAMES, QUESTION_KINDS, QUESTIONS_MAX } from "@app/shared/bookings";
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from "@mantine/core";

interface Props {
  questions: readonly Question[];
  errors: Record<string, string>;
  onChange: (questions: Question[]) => void;
}

/** What whoever books is asked beside their name. */
export function QuestionFields({ questions, errors, onChange }: Props) {
  const set = (at: number, change: Partial<Question>) =>
    onChange(questions.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <Stack gap="sm" role="group" aria-label="Questions">
      {questions.map((question, index) => (
        // Questions have no name of their own: they are what stands at their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="sm" align="end" wrap="wrap">
          <TextInput
            label={`Question ${index + 1}`}
            style={{ flex: "1 1 220px" }}
            value={question.label}
            error={errors[`questions.${index}.label`]}
            onChange={(event) => set(index, { label: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={`Kind of question ${index + 1}`}
            data={QUESTION_KINDS.map((kind) => ({ value: kind, label: QUESTION_KIND_NAMES[kind] }))}
            value={question.kind}
            onChange={(event) => set(index, { kind: kindOf(event.currentTarget.value) })}
          />
          <Checkbox
            label="Required"
            mb={6}
            checked={question.isRequired}
            onChange={(event) => set(index, { isRequired: event.currentTarget.checked })}
          />
          <Button
            variant="subtle"
            aria-label={`Remove question ${index + 1}`}
            onClick={() => onChange(questions.filter((_one, at) => at !== index))}
          >
            Remove
          </Button>
        </Group>
      ))}
      {questions.length < QUESTIONS_MAX && (
        <Button
          variant="default"
          style={{ alignSelf: "start" }}
          onClick={() => onChange([...questions, { label: "", kind: "short", isRequired: false }])}
        >
          Add a question
        </Button>
      )}
    </Stack>
  );
}

const kindOf = (value: string): Question["kind"] => QUESTION_KINDS.find((kind) => kind === value) ?? "short";
