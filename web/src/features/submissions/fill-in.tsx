import { evaluateForm } from "@app/shared/form-evaluation";
import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { useCallback, useEffect, useMemo, useState } from "react";
import { FormFailure } from "../../ui/form-failure.tsx";
import { EvaluationContext } from "../questions/evaluation-context.ts";
import { fetchValidator } from "../questions/problems.ts";
import { fetchInputs } from "../questions/rare-kinds.ts";
import { CheckAnswers } from "./check-answers.tsx";
import { fileWaysOf } from "./form-file-ways.ts";
import { FormFrame } from "./form-frame.tsx";
import { FormStep } from "./form-step.tsx";
import { hiddenAnswers } from "./hidden-answers.ts";
import { LaterPanel } from "./later-panel.tsx";
import { leavePage } from "./leave-page.ts";
import { SentElsewhere } from "./sent-elsewhere.tsx";
import { Thanks } from "./thanks.tsx";
import { type Filling, useFilling } from "./use-filling.ts";
import type { Sent } from "./use-sending.tsx";
import { startOf, type Steps, useSteps } from "./use-steps.ts";

interface Props {
  opened: OpenedForm;
  place: FormPlace;
}

/** One page of the form after the other, then all answers at once. */
export function FillIn({ opened, place }: Props) {
  const [start] = useState(() => startOf(opened, evaluateForm(opened.content, opened.answers).path));
  const filling = useFilling({ ...opened, pageId: start }, place);
  const steps = useSteps(opened, filling, start);
  const [sent, setSent] = useState<Sent | null>(null);
  const [isLater, setIsLater] = useState(false);
  const { sendBeforeLeaving } = filling;
  useBeginning(opened, filling);
  const leave = useCallback(() => {
    sendBeforeLeaving();
    leavePage();
  }, [sendBeforeLeaving]);
  const onSent = (done: Sent) => {
    setSent(done);
    // Of a page within another one it is that one that goes on.
    if (opened.redirectUrl) window.open(opened.redirectUrl, "_top");
  };

  if (filling.saveState === "sent" && !sent) return <SentElsewhere opened={opened} filling={filling} />;
  if (sent) return <Thanks opened={opened} receipt={sent.receipt} />;
  const { index, total, evaluation } = steps;
  return (
    <EvaluationContext value={evaluation}>
      <FormFrame practiceName={opened.practiceName} done={(index + 1) / total} onLeave={leave}>
        <p className="form-step-count">
          Step {index + 1} of {total}
        </p>
        {filling.saveState === "dead" && (
          <FormFailure>
            This link does not work any more, so nothing more can be saved or sent from here. Look in your email: you
            may have been sent a new link, which opens what was saved. Copy from this page what was not saved yet. If
            you have no new link, ask the practice for one.
          </FormFailure>
        )}
        <Step opened={opened} filling={filling} steps={steps} onSent={onSent} onLater={() => setIsLater(true)} />
        {isLater && (
          <LaterPanel
            filling={filling}
            expiresAt={opened.expiresAt}
            mailsTo={opened.mailsTo}
            onLeave={leave}
            onClose={() => setIsLater(false)}
          />
        )}
      </FormFrame>
    </EvaluationContext>
  );
}

/** Fetches what comes later while the first question is read, and takes over what the address says. */
function useBeginning({ content, answers }: OpenedForm, { answer }: Filling): void {
  useEffect(() => {
    fetchValidator();
    fetchInputs(content);
  }, [content]);
  useEffect(() => {
    for (const [fieldId, value] of hiddenAnswers(content, answers)) answer(fieldId, value);
  }, [content, answers, answer]);
}

interface StepProps {
  opened: OpenedForm;
  filling: Filling;
  steps: Steps;
  onSent: (sent: Sent) => void;
  onLater: () => void;
}

/** The page of the form on which they are, or the one where all is checked. */
function Step({ opened, filling, steps, onSent, onLater }: StepProps) {
  const { page, index, evaluation, problems, goOn, goBack, change } = steps;
  const { save, note, placeNow, answerNow } = filling;
  const files = useMemo(() => fileWaysOf({ save, note, placeNow, answerNow }), [save, note, placeNow, answerNow]);
  const back = { to: index, onBack: goBack };
  return page ? (
    <FormStep
      key={page.id}
      page={page}
      content={opened.content}
      filling={filling}
      evaluation={evaluation}
      problems={problems}
      files={files}
      onContinue={() => void goOn(files)}
      onLater={onLater}
      back={index > 0 ? back : null}
    />
  ) : (
    <CheckAnswers
      opened={opened}
      filling={filling}
      evaluation={evaluation}
      onChange={change}
      onSent={onSent}
      onLater={onLater}
      back={back}
    />
  );
}
