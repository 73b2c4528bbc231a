// What somebody types, and its way to the server: saved again and again, kept on the page while the line is broken, and
// never put in the place of something newer.
import { type Answers, type AnswerValue, answerTo } from "@app/shared/form-answers";
import { ANSWERED_AGO_MAX_MS } from "@app/shared/submission-limits";
import type { OpenedForm, SaveAnswers } from "@app/shared/submissions";
import { useCallback, useEffect, useRef, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { rememberDraft } from "./draft-memory.ts";
import { sendOnTheWay } from "./send-on-the-way.ts";

const PAUSE_MS = 1200;
const RETRIES_MS = [3000, 6000, 15_000, 30_000] as const;

export type SaveState = "idle" | "typed" | "saving" | "saved" | "offline" | "refused";

interface Place {
  formId: string;
  userId: string;
}

/** When each question was last answered here, and not saved yet. */
type Unsaved = Map<string, number>;

export function useFilling(opened: OpenedForm, at: Place) {
  const [answers, setAnswers] = useState<Answers>(opened.answers);
  const [saveState, setSaveState] = useState<SaveState>(opened.revision > 0 ? "saved" : "idle");
  const [why, setWhy] = useState("");
  const place = useRef(at);
  const [isKept, setIsKept] = useState(opened.leadsBack);
  const now = useRef({ answers: opened.answers, revision: opened.revision, pageId: opened.pageId });
  const unsaved = useRef<Unsaved>(new Map());
  const timer = useRef<number | undefined>(undefined);
  const failures = useRef(0);
  const running = useRef<Promise<boolean> | null>(null);

  const inputOf = useCallback((): SaveAnswers => {
    const changes = [...unsaved.current].map(([fieldId, since]) => ({
      fieldId,
      answer: now.current.answers[fieldId] ?? null,
      agoMs: Math.min(ANSWERED_AGO_MAX_MS, Math.max(0, Math.round(performance.now() - since))),
    }));
    const { revision, pageId } = now.current;
    return { ...place.current, number: opened.number, revision, changes, pageId };
  }, [opened.number]);

  const take = useCallback((sent: ReadonlyMap<string, number>, newer: Record<string, AnswerValue | null>) => {
    for (const [fieldId, since] of sent) if (unsaved.current.get(fieldId) === since) unsaved.current.delete(fieldId);
    const arrived = Object.entries(newer).filter(([fieldId]) => !unsaved.current.has(fieldId));
    if (arrived.length === 0) return;
    const next = new Map(Object.entries(now.current.answers));
    for (const [fieldId, answer] of arrived) {
      if (answer === null) next.delete(fieldId);
      else next.set(fieldId, answer);
    }
    now.current.answers = Object.fromEntries(next);
    setAnswers(now.current.answers);
  }, []);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const sent = new Map(unsaved.current);
    setSaveState("saving");
    try {
      const saved = await apiClient.submissions.filling.save.mutate(inputOf());
      now.current.revision = saved.revision;
      if (saved.resumeId !== null) {
        place.current = { ...place.current, userId: saved.resumeId };
        rememberDraft(place.current.formId, saved.resumeId);
      }
      setIsKept(true);
      take(sent, saved.newer);
      failures.current = 0;
      setSaveState(unsaved.current.size > 0 ? "typed" : "saved");
      return true;
    } catch (error) {
      const code = codeOf(error);
      const passes = code === undefined || code === "TOO_MANY_REQUESTS" || code === "SERVICE_UNAVAILABLE";
      setWhy(messageOf(error));
      setSaveState(passes ? "offline" : "refused");
      if (passes) {
        const wait = RETRIES_MS[Math.min(failures.current, RETRIES_MS.length - 1)];
        failures.current += 1;
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => void saveNow.current(), wait);
      }
      return false;
    }
  }, [inputOf, take]);

  /** Saves what is there now; true once the server has all of it. One save at a time. */
  const save = useCallback(async (): Promise<boolean> => {
    window.clearTimeout(timer.current);
    while (running.current) await running.current;
    running.current = saveOnce();
    try {
      return await running.current;
    } finally {
      running.current = null;
      if (failures.current === 0 && unsaved.current.size > 0)
        timer.current = window.setTimeout(() => void saveNow.current(), PAUSE_MS);
    }
  }, [saveOnce]);
  const saveNow = useRef(save);
  useEffect(() => void (saveNow.current = save), [save]);

  const answer = useCallback((fieldId: string, value: AnswerValue | null) => {
    const next = new Map(Object.entries(now.current.answers));
    if (value === null) next.delete(fieldId);
    else next.set(fieldId, value);
    now.current.answers = Object.fromEntries(next);
    setAnswers(now.current.answers);
    unsaved.current.set(fieldId, performance.now());
    setSaveState((before) => (before === "offline" || before === "refused" ? before : "typed"));
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void saveNow.current(), PAUSE_MS);
  }, []);

  /** What the server holds by itself, such as the files of a question. */
  const note = useCallback((fieldId: string, value: AnswerValue) => {
    now.current.answers = { ...now.current.answers, [fieldId]: value };
    setAnswers(now.current.answers);
  }, []);

  const goTo = useCallback((pageId: string | null) => {
    now.current.pageId = pageId;
    void saveNow.current();
  }, []);

  useEffect(() => {
    const again = () => void (unsaved.current.size > 0 && saveNow.current());
    const onHide = () => {
      if (document.visibilityState === "hidden") again();
    };
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      window.clearTimeout(timer.current);
      window.removeEventListener("online", again);
      document.removeEventListener("visibilitychange", onHide);
    };
  }, []);

  /** For whoever leaves at once: nobody waits for it. */
  const sendBeforeLeaving = useCallback(() => {
    if (unsaved.current.size > 0) sendOnTheWay(inputOf());
  }, [inputOf]);

  const answerNow = useCallback((fieldId: string) => answerTo(now.current.answers, fieldId), []);
  const placeNow = useCallback(() => place.current, []);
  const inputNow = useCallback(() => ({ ...inputOf(), changes: [] }), [inputOf]);
  return {
    answers,
    answer,
    note,
    save,
    goTo,
    saveState,
    why,
    isKept,
    placeNow,
    answerNow,
    inputNow,
    sendBeforeLeaving,
  };
}
export type Filling = ReturnType<typeof useFilling>;
