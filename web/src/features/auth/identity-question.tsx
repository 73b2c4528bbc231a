import { type ComponentType, useEffect, useRef, useState } from "react";
import { onQuestion } from "../../core/confirm-identity.ts";

interface Question {
  Dialog: ComponentType<{ onAnswer: (isConfirmed: boolean) => void }>;
  answer: (isConfirmed: boolean) => void;
}

/** Where the page asks whether it is still the same person. Stands before everything that opens dialogs of its own. */
export function IdentityQuestion() {
  const [question, setQuestion] = useState<Question | null>(null);
  const waiting = useRef<Question["answer"]>(undefined);
  useEffect(() => {
    const stop = onQuestion(async () => {
      const { ConfirmIdentityDialog } = await import("./confirm-identity-dialog.tsx");
      const { promise, resolve: answer } = Promise.withResolvers<boolean>();
      waiting.current = answer;
      setQuestion({ Dialog: ConfirmIdentityDialog, answer });
      return promise.finally(() => setQuestion(null));
    });
    return () => {
      stop();
      // Whoever is signed out meanwhile answers no more.
      waiting.current?.(false);
    };
  }, []);
  return question && <question.Dialog onAnswer={question.answer} />;
}
