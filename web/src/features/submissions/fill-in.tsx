import { evaluateForm } from "@app/shared/form-evaluation";
import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { focusTitle } from "./focus-title.ts";
import { CheckAnswers } from "./check-answers.tsx";
import { EvaluationContext } from "./evaluation-context.ts";
import { FormFrame } from "./form-frame.tsx";
import { FormStep } from "./form-step.tsx";
import { fileWaysOf } from "./form-file-ways.ts";
import { hiddenAnswers } from "./hidden-answers.ts";
import { LaterPanel } from "./later-panel.tsx";
import { leavePage } from "./leave-page.ts";
import { fetchValidator, type Problem, problemsOf } from "./problems.ts";
import { fetchInputs } from "./rare-kinds.ts";
import { Thanks } from "./thanks.tsx";
import { useFilling } from "./use-filling.ts";

/** Where all answers are looked at once more. */
const CHECK = null;
type At = string | typeof CHECK;

interface Props {
  opened: OpenedForm;
  place: FormPlace;
}

/** One page of the form after the other, then all answers at once. */
export function FillIn({ opened, place }: Props) {
  const { content } = opened;
  const [start] = useState(() => startOf(opened, evaluateForm(content, opened.answers).path));
  const filling = useFilling({ ...opened, pageId: start }, place);
  const { answers, answer, goTo, sendBeforeLeaving, save, note, placeNow, answerNow } = filling;
  const evaluation = useMemo(() => evaluateForm(content, answers), [content, answers]);
  const { path } = evaluation;
  const [at, setAt] = useState<At>(start);
  const [shown, setShown] = useState<readonly Problem[]>([]);
  const [isSent, setIsSent] = useState(false);
  const [isLater, setIsLater] = useState(false);
  const goesBackToCheck = useRef(false);

  useEffect(() => {
    fetchValidator();
    fetchInputs(content);
  }, [content]);
  useEffect(() => {
    for (const [fieldId, value] of hiddenAnswers(content, opened.answers)) answer(fieldId, value);
  }, [content, opened.answers, answer]);

  const index = at === CHECK ? path.length : Math.max(0, path.indexOf(at));
  const page = content.pages.find(({ id }) => id === path[index]);
  const go = (next: At, problems: readonly Problem[] = []) => {
    setAt(next);
    setShown(problems);
    goTo(next);
    window.scrollTo({ top: 0, behavior: "instant" });
    if (problems.length === 0) setTimeout(focusTitle);
  };
  const goOn = async () => {
    if (!page) return go(CHECK);
    const wrong = await problemsOf(content, answers, page);
    if (wrong.length > 0) return setShown(wrong);
    const next = goesBackToCheck.current ? CHECK : (path[index + 1] ?? CHECK);
    goesBackToCheck.current = false;
    go(next);
  };
  const leave = useCallback(() => {
    sendBeforeLeaving();
    leavePage();
  }, [sendBeforeLeaving]);
  const files = useMemo(() => fileWaysOf({ save, note, placeNow, answerNow }), [save, note, placeNow, answerNow]);

  if (isSent) return <Thanks opened={opened} />;
  const total = path.length + 1;
  return (
    <EvaluationContext value={evaluation}>
      <FormFrame practiceName={opened.practiceName} done={(index + 1) / total} onLeave={leave}>
        <p className="form-step-count">
          Step {index + 1} of {total}
        </p>
        {page ? (
          <FormStep
            key={page.id}
            page={page}
            content={content}
            filling={filling}
            evaluation={evaluation}
            problems={shown}
            files={files}
            onContinue={() => void goOn()}
            onLater={() => setIsLater(true)}
            back={index > 0 ? { to: index, onBack: () => go(path[index - 1] ?? null) } : null}
          />
        ) : (
          <CheckAnswers
            opened={opened}
            filling={filling}
            evaluation={evaluation}
            onChange={(pageId, problems) => {
              goesBackToCheck.current = problems === undefined;
              go(pageId, problems);
            }}
            onSent={() => {
              setIsSent(true);
              // Of a page within another one it is that one that goes on.
              if (opened.redirectUrl) window.open(opened.redirectUrl, "_top");
            }}
            onLater={() => setIsLater(true)}
            back={{ to: index, onBack: () => go(path[index - 1] ?? null) }}
          />
        )}
        {isLater && (
          <LaterPanel
            filling={filling}
            expiresAt={opened.expiresAt}
            onLeave={leave}
            onClose={() => setIsLater(false)}
          />
        )}
      </FormFrame>
    </EvaluationContext>
  );
}

/** Where they stopped, also on another browser. */
function startOf({ pageId, revision, content }: OpenedForm, path: readonly string[]): At {
  if (pageId !== null && path.includes(pageId)) return pageId;
  const isAtCheck = pageId === null && revision > 0 && content.pages.length > 0;
  return isAtCheck ? CHECK : (path[0] ?? CHECK);
}
