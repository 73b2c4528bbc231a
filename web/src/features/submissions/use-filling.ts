// What somebody types, and its way to the server: saved again and again, kept on the page while the line is broken, and
// never put in the place of something newer.
import { type AnswerValue, answerTo, withAnswer } from "@app/shared/form-answers";
import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { useEffect, useMemo, useState } from "react";
import { answerIn, savingOf, storeOf } from "./filling-store.ts";
import { rememberOnTheWay } from "./draft-memory.ts";
import { type SaveState, saverOf } from "./saver.ts";
import { sendOnTheWay } from "./send-on-the-way.ts";

export type { SaveState };

const SENDING_BROKE_OFF = "Your answers are still on this page. Check your connection and try again.";

interface Shown {
  saveState: SaveState;
  why: string;
}

export function useFilling(opened: OpenedForm, at: FormPlace) {
  const [answers, setAnswers] = useState(opened.answers);
  const [shown, setShown] = useState<Shown>({ saveState: opened.revision > 0 ? "saved" : "idle", why: "" });
  const [{ store, saver, whyNow }] = useState(() => {
    const held = storeOf(opened, at);
    const told = { current: "" };
    const tell = (saveState: SaveState, why = "") => {
      setShown({ saveState, why });
      told.current = saveState === "refused" ? `${why} Your answers are still on this page.` : SENDING_BROKE_OFF;
      setAnswers(held.answers);
    };
    return { store: held, saver: saverOf(held, tell), whyNow: () => told.current };
  });

  useEffect(() => {
    const again = () => {
      if (store.unsaved.size > 0) void saver.save();
    };
    const refresh = () => void saver.refresh();
    // A page that stood idle in a pocket learns what was answered elsewhere before anybody goes on with it.
    const onShown = () => (document.visibilityState === "hidden" ? again() : refresh());
    const onBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) refresh();
    };
    // A request that waits for its answer may be broken off with the page.
    const onGone = () => {
      if (store.unsaved.size === 0 || store.isLeft) return;
      sendOnTheWay(savingOf(store));
      if (store.revision > 0 || store.leadsBack) rememberOnTheWay(store.place.formId, store.revision + 1);
    };
    window.addEventListener("online", refresh);
    window.addEventListener("pagehide", onGone);
    window.addEventListener("pageshow", onBack);
    document.addEventListener("visibilitychange", onShown);
    return () => {
      saver.stop();
      window.removeEventListener("online", refresh);
      window.removeEventListener("pagehide", onGone);
      window.removeEventListener("pageshow", onBack);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [store, saver]);

  const ways = useMemo(
    () => ({
      save: saver.save,
      refresh: saver.refresh,
      /** Why the last save failed. */
      whyNow,
      answer: (fieldId: string, value: AnswerValue | null) => {
        answerIn(store, fieldId, value);
        setAnswers(store.answers);
        setShown((before) => (isTrouble(before.saveState) ? before : { saveState: "typed", why: "" }));
        saver.saveSoon();
      },
      /** What the server holds by itself, such as the files of a question. */
      note: (fieldId: string, value: AnswerValue) => {
        Object.assign(store, { answers: withAnswer(store.answers, fieldId, value) });
        setAnswers(store.answers);
      },
      goTo: (pageId: string | null) => {
        Object.assign(store, { pageId });
        void saver.save();
      },
      answerNow: (fieldId: string) => answerTo(store.answers, fieldId),
      answersNow: () => store.answers,
      placeNow: () => store.place,
      /** Questions that were answered here, and not saved. */
      unsavedNow: () => new Set(store.unsaved.keys()),
      inputNow: () => ({ ...savingOf(store), changes: [] }),
      /** For whoever leaves at once: nobody waits for it. */
      sendBeforeLeaving: () => {
        Object.assign(store, { isLeft: true });
        if (store.unsaved.size > 0) sendOnTheWay(savingOf(store));
      },
    }),
    [store, saver, whyNow],
  );
  return { answers, ...shown, ...ways };
}
export type Filling = ReturnType<typeof useFilling>;

export const isTrouble = (state: SaveState): boolean => ["offline", "refused", "dead", "sent"].includes(state);
