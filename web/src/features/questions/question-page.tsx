import { answerText } from "@app/shared/answer-texts";
import { type Answers, type AnswerValue, answerTo } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import { FORM_PICTURES_ADDRESS } from "@app/shared/form-limits";
import type { Evaluation } from "@app/shared/form-evaluation";
import { NOTHING_ENTERED, withoutEmptySums } from "@app/shared/form-sums";
import type { Field } from "@app/shared/form-fields";
import { type ReactNode, useEffect } from "react";
import { elementOf, focusQuestion, ofQuestion, type Problem } from "./problems.ts";
import { ProblemList } from "./problem-list.tsx";
import type { FileWays } from "./question-props.ts";
import { Question } from "./question.tsx";
import "./questions.css";

interface Props {
  page: FormPage;
  content: FormContent;
  /** As they are typed; what the logic makes of them is in the evaluation. */
  answers: Answers;
  evaluation: Evaluation;
  problems: readonly Problem[];
  files: FileWays;
  onAnswer: (fieldId: string, value: AnswerValue | null) => void;
  /** Of the heading: 1 on a page of its own, 2 within another one. */
  level: 1 | 2;
}

/** The questions of one page of a form, as people meet them. */
export function QuestionPage(props: Props) {
  const { page, problems, level } = props;
  const [first] = problems;
  useEffect(() => {
    if (first) focusQuestion(elementOf(first));
  }, [first]);
  const Title = level === 1 ? "h1" : "h2";
  return (
    <>
      <Title className="form-title">{page.title}</Title>
      {page.text && <Paragraphs text={page.text} className="form-intro" />}
      <ProblemList problems={problems} fields={page.fields} />
      {page.fields.map((field) => (
        <Shown key={field.id} field={field} {...props} />
      ))}
    </>
  );
}

/** A question, what stands between questions, or what is reckoned. */
function Shown(props: Props & { field: Field }): ReactNode {
  const { field, content, answers, evaluation, problems, files, onAnswer, level } = props;
  const { visible, required } = evaluation;
  if (field.type === "hidden" || !visible.has(field.id)) return null;
  if (field.type === "statement") return <Statement field={field} level={level} />;
  if (field.type === "calculated")
    return (
      <p className="form-sum" role="status">
        <span>{field.label}</span>
        <strong>
          {answerText(field, answerTo(withoutEmptySums(content, evaluation.answers), field.id), content.currency) ||
            NOTHING_ENTERED}
        </strong>
      </p>
    );
  return (
    <Question
      field={field}
      id={`q-${field.id}`}
      answer={answerTo(answers, field.id)}
      currency={content.currency}
      isRequired={required.has(field.id)}
      problems={ofQuestion(problems, field.id)}
      files={files}
      onAnswer={(value) => onAnswer(field.id, value)}
    />
  );
}

function Statement({
  field: { label, pictureId, text, help },
  level,
}: {
  field: Extract<Field, { type: "statement" }>;
  level: 1 | 2;
}) {
  const Title = level === 1 ? "h2" : "h3";
  return (
    <section className="form-statement">
      {label && <Title>{label}</Title>}
      {pictureId && <img src={`${FORM_PICTURES_ADDRESS}/${pictureId}`} alt="" loading="lazy" />}
      <Paragraphs text={text} />
      {help && <p className="form-help">{help}</p>}
    </section>
  );
}

/** Lines of text as paragraphs. */
const Paragraphs = ({ text, className }: { text: string; className?: string }) =>
  text.split(/\n+/).map((line, index) => (
    <p key={index} {...(className ? { className } : {})}>
      {line}
    </p>
  ));
