import { evaluateForm } from "@app/shared/form-evaluation";
import type { OpenedForm } from "@app/shared/submissions";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Problem, problemsOf } from "../questions/problems.ts";
import type { FileWays } from "../questions/question-props.ts";
import { focusTitle } from "./focus-title.ts";
import type { Filling } from "./use-filling.ts";

/** Where all answers are looked at once more. */
const CHECK = null;
type At = string | typeof CHECK;

/** On which page of the form somebody is, and the ways from there. */
export function useSteps({ content }: OpenedForm, { answers, goTo }: Filling, start: At) {
  const evaluation = useMemo(() => evaluateForm(content, answers), [content, answers]);
  const { path } = evaluation;
  const [at, setAt] = useState<At>(start);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const goesBackToCheck = useRef(false);
  const isTitleNext = useRef(false);
  const index = at === CHECK ? path.length : Math.max(0, path.indexOf(at));
  const page = content.pages.find(({ id }) => id === path[index]);
  const go = (next: At, found: readonly Problem[] = []) => {
    setAt(next);
    setProblems(found);
    goTo(next);
    window.scrollTo({ top: 0, behavior: "instant" });
    isTitleNext.current = found.length === 0;
  };
  // Only once the new page stands there: the heading of the one before goes with it.
  useEffect(() => {
    if (isTitleNext.current) focusTitle();
    isTitleNext.current = false;
  }, [at]);
  const goOn = async (files: Pick<FileWays, "unkept">) => {
    if (!page) return go(CHECK);
    const wrong = await problemsOf(content, answers, page, files);
    if (wrong.length > 0) return setProblems(wrong);
    const next = goesBackToCheck.current ? CHECK : (path[index + 1] ?? CHECK);
    goesBackToCheck.current = false;
    go(next);
  };
  return {
    evaluation,
    page,
    index,
    total: path.length + 1,
    problems,
    goOn,
    goBack: () => go(path[index - 1] ?? null),
    /** From the check to a page, with what is wrong there where the server found something. */
    change: (pageId: string, found?: readonly Problem[]) => {
      goesBackToCheck.current = found === undefined;
      go(pageId, found);
    },
  };
}
export type Steps = ReturnType<typeof useSteps>;

/** Where they stopped, also on another browser. */
export function startOf({ pageId, revision, content }: OpenedForm, path: readonly string[]): At {
  if (pageId !== null && path.includes(pageId)) return pageId;
  const isAtCheck = pageId === null && revision > 0 && content.pages.length > 0;
  return isAtCheck ? CHECK : (path[0] ?? CHECK);
}
