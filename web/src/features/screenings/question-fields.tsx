import { tellsOfUnsafeContact, whyHeldAgain } from "@app/shared/screening-limits";
import { ANSWER_NAMES } from "@app/shared/screenings";
import type { Question } from "@app/shared/screening-tools/tool";
import { Textarea } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { ScreeningForm } from "./use-screening.ts";

const CONTACT_HINT = "Once you have saved this, a task asks you to enter it in their safe contact.";

interface Props {
  form: ScreeningForm;
  questions: readonly Question[];
}

/** Each question with its answer, and words for it where that is not a plain "no". */
export function QuestionFields({ form, questions }: Props) {
  return questions.map(({ id, text }) => {
    const answer = form.values.answers[id]?.answer ?? "";
    const heldAgain = whyHeldAgain(id, answer);
    return (
      <div key={id} className="screening-question">
        <ChoiceField
          label={text}
          choices={ANSWER_NAMES}
          value={answer}
          error={form.errors[`answers.${id}.answer`]}
          onChange={form.field(`answers.${id}.answer`).onChange}
        />
        {answer !== "" && answer !== "no" && (
          <Textarea
            label={answer === "not_asked" ? "Why it was not asked" : "What was said"}
            aria-label={`${answer === "not_asked" ? "Why this was not asked" : "What was said"}: ${text}`}
            autosize
            minRows={1}
            description={id === "contact" && tellsOfUnsafeContact(form.values.answers) ? CONTACT_HINT : undefined}
            {...form.field(`answers.${id}.words`)}
          />
        )}
        {heldAgain && (
          <Panel tone="safety" icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}>
            {heldAgain}
          </Panel>
        )}
      </div>
    );
  });
}
