import { type Answers, withAnswer } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { type Evaluation, evaluateForm } from "@app/shared/form-evaluation";
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { CheckedPages } from "../questions/checked-pages.tsx";
import { EvaluationContext } from "../questions/evaluation-context.ts";
import { type Problem, problemsOf } from "../questions/problems.ts";
import { QuestionPage } from "../questions/question-page.tsx";
import { heldFiles } from "./held-files.ts";

const CHECK = "check";
const THANKS = "thanks";

/** A form to be tried out: with the questions that people meet, and nothing of it is kept. */
export function FormPreview({ content }: { content: FormContent }) {
  const [answers, setAnswers] = useState<Answers>({});
  const [at, setAt] = useState<string | null>(null);
  const [shown, setShown] = useState<readonly Problem[]>([]);
  const evaluation = useMemo(() => evaluateForm(content, answers), [content, answers]);
  const files = useMemo(() => heldFiles(setAnswers), []);
  const { path } = evaluation;
  const known = at === CHECK || at === THANKS || (at !== null && path.includes(at)) ? at : (path[0] ?? CHECK);
  const page = content.pages.find(({ id }) => id === known);
  const go = (to: string) => {
    setShown([]);
    setAt(to);
  };
  if (known === THANKS) return <Thanks content={content} onAgain={() => setAt(null)} />;
  const index = page ? path.indexOf(page.id) : path.length;
  const goOn = async () => {
    if (!page) return go(THANKS);
    const wrong = await problemsOf(content, answers, page, files);
    if (wrong.length > 0) setShown(wrong);
    else go(path[index + 1] ?? CHECK);
  };
  return (
    <EvaluationContext value={evaluation}>
      <p className="preview-where">
        Step {index + 1} of {path.length + 1}
      </p>
      {page ? (
        <QuestionPage
          key={page.id}
          page={page}
          content={content}
          answers={answers}
          evaluation={evaluation}
          problems={shown}
          files={files}
          onAnswer={(fieldId, value) => setAnswers((before) => withAnswer(before, fieldId, value))}
          level={2}
        />
      ) : (
        <CheckedPages content={content} evaluation={evaluation} onChange={go} level={2} />
      )}
      <Steps index={index} evaluation={evaluation} onGo={go} onContinue={() => void goOn()} />
    </EvaluationContext>
  );
}

interface StepsProps {
  index: number;
  evaluation: Evaluation;
  onGo: (to: string) => void;
  onContinue: () => void;
}

function Steps({ index, evaluation: { path }, onGo, onContinue }: StepsProps) {
  const before = path[index - 1];
  return (
    <div className="form-buttons">
      <Button size="lg" fullWidth onClick={onContinue}>
        {index < path.length ? "Continue" : "Send"}
      </Button>
      {before !== undefined && (
        <Button variant="subtle" size="lg" fullWidth onClick={() => onGo(before)}>
          ← Back to step {index}
        </Button>
      )}
    </div>
  );
}

function Thanks({ content: { thanks }, onAgain }: { content: FormContent; onAgain: () => void }) {
  return (
    <>
      <h2 className="form-title">{thanks.title}</h2>
      <p>{thanks.text}</p>
      <div className="form-buttons">
        <Button variant="default" size="lg" fullWidth onClick={onAgain}>
          Begin again
        </Button>
      </div>
    </>
  );
}
