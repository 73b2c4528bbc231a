// The small reader of the builder's preview. The page that people fill in has one of its own; it takes this one's place.
import type { Answers, AnswerValue } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import { checkAnswers } from "@app/shared/form-validator";
import { Button } from "@mantine/core";
import { useState } from "react";
import { PreviewField } from "./preview-field.tsx";

const THANKS = "thanks";

export function PreviewForm({ content }: { content: FormContent }) {
  const [answers, setAnswers] = useState<Answers>({});
  const [at, setAt] = useState<string | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  const evaluated = evaluateForm(content, answers);
  const pages = content.pages.filter(({ id }) => evaluated.path.includes(id));
  const page = pages.find(({ id }) => id === at) ?? pages[0];
  if (!page || at === THANKS) return <Thanks content={content} onAgain={() => setAt(null)} />;
  const index = pages.indexOf(page);
  const problems = checkAnswers(content, answers).problems.filter(({ path }) =>
    page.fields.some(({ id }) => id === path[0]),
  );
  const go = (to: string) => {
    setIsChecked(false);
    setAt(to);
  };
  const goOn = () => (problems.length > 0 ? setIsChecked(true) : go(pages[index + 1]?.id ?? THANKS));
  const answer = (fieldId: string, value: AnswerValue | undefined) => {
    const { [fieldId]: _before, ...others } = answers;
    setAnswers(value === undefined ? others : { ...others, [fieldId]: value });
  };
  return (
    <div className="preview-form">
      <p className="preview-where">
        {content.title}, page {index + 1} of {pages.length}
      </p>
      <h3>{page.title}</h3>
      {page.text && <p>{page.text}</p>}
      {page.fields
        .filter(({ id }) => evaluated.visible.has(id))
        .map((field) => (
          <PreviewField
            key={field.id}
            field={field}
            evaluated={evaluated}
            answer={answers[field.id]}
            currency={content.currency}
            error={isChecked ? problems.find(({ path }) => path[0] === field.id)?.message : undefined}
            onAnswer={(value) => answer(field.id, value)}
          />
        ))}
      <div className="inspector-buttons">
        {index > 0 && (
          <Button variant="default" size="lg" onClick={() => go(pages[index - 1]?.id ?? "")}>
            Back
          </Button>
        )}
        <Button size="lg" onClick={goOn}>
          {index + 1 < pages.length ? "Continue" : "Send"}
        </Button>
      </div>
    </div>
  );
}

function Thanks({ content, onAgain }: { content: FormContent; onAgain: () => void }) {
  return (
    <div className="preview-form">
      <h3>{content.thanks.title}</h3>
      <p>{content.thanks.text}</p>
      <div className="inspector-buttons">
        <Button variant="default" size="lg" onClick={onAgain}>
          Begin again
        </Button>
      </div>
    </div>
  );
}
