import { answerText } from "@app/shared/answer-texts";
import { answerTo } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Evaluation } from "@app/shared/form-evaluation";
import type { Field } from "@app/shared/form-fields";
import { Button } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { BackButton } from "./back-button.tsx";
import { elementOf, focusQuestion, ofQuestion, type Problem } from "./problems.ts";
import { ProblemList } from "./problem-list.tsx";
import type { FileWays } from "./question-props.ts";
import { Question } from "./question.tsx";
import { SaveNote } from "./save-note.tsx";
import type { Filling } from "./use-filling.ts";

interface Props {
  page: FormPage;
  content: FormContent;
  filling: Filling;
  evaluation: Evaluation;
  problems: readonly Problem[];
  files: FileWays;
  onContinue: () => void;
  onLater: () => void;
  back: { to: number; onBack: () => void } | null;
}

/** One page of the form. */
export function FormStep(props: Props) {
  const { page, filling, problems, onContinue, onLater, back } = props;
  const [first] = problems;
  useEffect(() => {
    if (first) focusQuestion(elementOf(first));
  }, [first]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onContinue();
      }}
    >
      <h1 className="form-title">{page.title}</h1>
      {page.text && <Paragraphs text={page.text} className="plain-text" />}
      <ProblemList problems={problems} fields={page.fields} />
      {page.fields.map((field) => (
        <Shown key={field.id} field={field} {...props} />
      ))}
      <div className="form-buttons">
        <Button type="submit" size="lg" fullWidth>
          Continue
        </Button>
        <Button variant="default" size="lg" fullWidth onClick={onLater}>
          Save and continue later
        </Button>
        {back && <BackButton {...back} />}
        <SaveNote filling={filling} />
      </div>
    </form>
  );
}

/** A question, what stands between questions, or what is reckoned. */
function Shown({ field, content, filling, evaluation, problems, files }: Props & { field: Field }): ReactNode {
  const { visible, required, answers } = evaluation;
  if (field.type === "hidden" || !visible.has(field.id)) return null;
  if (field.type === "statement")
    return (
      <section className="form-statement">
        {field.label && <h2>{field.label}</h2>}
        {field.pictureId && <img src={`/form-pictures/${field.pictureId}`} alt="" loading="lazy" />}
        <Paragraphs text={field.text} />
        {field.help && <p className="form-help">{field.help}</p>}
      </section>
    );
  if (field.type === "calculated")
    return (
      <p className="form-sum" role="status">
        <span>{field.label}</span>
        <strong>{answerText(field, answerTo(answers, field.id), content.currency) || "0"}</strong>
      </p>
    );
  return (
    <Question
      field={field}
      id={`q-${field.id}`}
      answer={answerTo(filling.answers, field.id)}
      currency={content.currency}
      isRequired={required.has(field.id)}
      problems={ofQuestion(problems, field.id)}
      files={files}
      onAnswer={(value) => filling.answer(field.id, value)}
    />
  );
}

/** Lines of text as paragraphs. */
function Paragraphs({ text, className }: { text: string; className?: string }) {
  return text.split(/\n+/).map((line, index) => (
    <p key={index} {...(className ? { className } : {})}>
      {line}
    </p>
  ));
}
