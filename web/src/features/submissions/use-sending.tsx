import { type Answers, answerTo, filesOf, isEmptyAnswer } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import type { OpenedForm, Submitted } from "@app/shared/submissions";
import { type ReactNode, useRef, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { untilTaken } from "../../core/soonest.ts";
import { arrival } from "./arrival.ts";
import { forgetDraft } from "./draft-memory.ts";
import type { Problem } from "../questions/problems.ts";
import type { Filling } from "./use-filling.ts";

/** By what stands there by now. */
const REFUSED: ReadonlySet<string> = new Set(["CONFLICT", "PRECONDITION_FAILED"]);

export type Sent = Extract<Submitted, { state: "sent" }>;

interface After {
  onSent: (sent: Sent) => void;
  onProblems: (problems: readonly Problem[]) => void;
}

const ANSWERED_ELSEWHERE =
  "Something was answered on another screen meanwhile. It stands above: look at your answers, and send them again.";

/** The same question may have been taken out and answered again, which changes the order alone. */
const isSame = (one: Answers, other: Answers): boolean => {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...ids].every((id) => {
    const [before, after] = [answerTo(one, id), answerTo(other, id)];
    if (isEmptyAnswer(before) && isEmptyAnswer(after)) return true;
    return JSON.stringify(before) === JSON.stringify(after);
  });
};

const fileIdsIn = ({ pages }: FormContent, answers: Answers): string[] =>
  pages.flatMap(({ fields }) =>
    fields.flatMap(({ id, type }) => (type === "file" ? filesOf(answerTo(answers, id)).map((file) => file.id) : [])),
  );

/** Sends the form: everything is saved first, and the same sending arrives once however often it is tried. */
export function useSending(opened: OpenedForm, filling: Filling, { onSent, onProblems }: After) {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState("");
  const sending = useRef(makeId());
  const [loadedAt] = useState(() => performance.now());
  const token = useRef({ text: opened.formToken, at: loadedAt });
  const [website, setWebsite] = useState("");

  const submit = async () => {
    await untilTaken(token.current.at);
    return apiClient.submissions.filling.submit.mutate({
      ...filling.inputNow(),
      id: sending.current,
      formToken: token.current.text,
      website,
      fileIds: fileIdsIn(opened.content, filling.answersNow()),
      ...(opened.isEnquiry ? { attribution: arrival } : {}),
    });
  };
  const submitAgain = async (error: unknown) => {
    if (codeOf(error) !== "PRECONDITION_FAILED") throw error;
    // The page stood open for longer than its token lasts.
    const { formToken, isSent } = await apiClient.submissions.filling.open.mutate(filling.placeNow());
    if (isSent) throw error;
    token.current = { text: formToken, at: performance.now() };
    return submit();
  };
  const send = async () => {
    setIsSending(true);
    setFailure("");
    try {
      const seen = filling.answersNow();
      if (!(await filling.save())) return setFailure(filling.whyNow());
      if (!isSame(filling.answersNow(), seen)) return setFailure(ANSWERED_ELSEWHERE);
      const result = await submit().catch(submitAgain);
      if (result.state === "problems") return onProblems(result.problems);
      forgetDraft(filling.placeNow().formId);
      onSent(result);
    } catch (error) {
      setFailure(messageOf(error));
      // Sent, or answered once more, on another screen.
      if (REFUSED.has(codeOf(error) ?? "")) await filling.refresh();
    } finally {
      setIsSending(false);
    }
  };
  return { send, isSending, failure, trap: <Trap value={website} onChange={setWebsite} /> };
}

/** Nobody sees it or comes to it by keyboard: only a program fills it in. */
function Trap({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <div className="form-trap" aria-hidden>
      <label>
        Leave this empty
        <input
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
    </div>
  );
}
