// What somebody types, and its way to the server: saved again and again, kept on the page while the line is broken, and
// never put in the place of something newer.
import { type AnswerValue, answerTo, withAnswer } from "@app/shared/form-answers";
import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { useEffect, useMemo, useState } from "react";
import { answerIn, savingOf, storeOf } from "./filling-store.ts";
import { type SaveState, saverOf } from "./saver.ts";
import { sendOnTheWay } from "./send-on-the-way.ts";

export type { SaveState };

interface Shown {
  saveState: SaveState;
  why: string;
}

export function useFilling(opened: OpenedForm, at: FormPlace) {
  const [answers, setAnswers] = useState(opened.answers);
  const [shown, setShown] = useState<Shown>({ saveState: opened.revision > 0 ? "saved" : "idle", why: "" });
  const [{ store, saver }] = useState(() => {
    const held = storeOf(opened, at);
    const tell = (saveState: SaveState, why = "") => {
      setShown({ saveState, why });
      setAnswers(held.answers);
    };
    return { store: held, saver: saverOf(held, tell) };
  });

  useEffect(() => {
    const again = () => {
      if (store.unsaved.size > 0) void saver.save();
    };
    const onHide = () => {
      if (document.visibilityState === "hidden") again();
    };
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      saver.stop();
      window.removeEventListener("online", again);
      document.removeEventListener("visibilitychange", onHide);
    };
  }, [store, saver]);

  const ways = useMemo(
    () => ({
      save: saver.save,
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
      placeNow: () => store.place,
      inputNow: () => ({ ...savingOf(store), changes: [] }),
      /** For whoever leaves at once: nobody waits for it. */
      sendBeforeLeaving: () => {
        if (store.unsaved.size > 0) sendOnTheWay(savingOf(store));
      },
    }),
    [store, saver],
  );
  return { answers, ...shown, ...ways };
}
export type Filling = ReturnType<typeof useFilling>;

export const isTrouble = (state: SaveState): boolean => ["offline", "refused", "dead"].includes(state);
