import { dayText } from "@app/shared/answer-texts";
import { DRAFT_KEPT_DAYS } from "@app/shared/submission-limits";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Filling } from "./use-filling.ts";

interface Props {
  filling: Filling;
  /** When the link ends, where it is one of their own. */
  expiresAt: string | null;
  onLeave: () => void;
  onClose: () => void;
}

type State = "saving" | "saved" | "failed";

/** Saves, and gives the link that leads back here on any phone or computer. */
export function LaterPanel({ filling: { save, placeNow, why }, expiresAt, onLeave, onClose }: Props) {
  const [state, setState] = useState<State>("saving");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    void save().then((isSaved) => setState(isSaved ? "saved" : "failed"));
  }, [save]);
  const { formId, userId } = placeNow();
  const address = `${window.location.origin}/form/${formId}/${userId}`;
  const lasting = expiresAt ? `until ${dayText(expiresAt.slice(0, 10))}` : `for ${DRAFT_KEPT_DAYS} days`;
  return (
    <dialog ref={dialog} className="form-later" aria-labelledby="later-title" onClose={onClose}>
      <h2 id="later-title">{state === "failed" ? "Not saved yet" : "Continue later"}</h2>
      {state === "saving" && <p role="status">Saving…</p>}
      {state === "failed" && (
        <>
          <p role="alert">{why} What you typed is still on this page.</p>
          <Button
            size="lg"
            fullWidth
            onClick={() => {
              setState("saving");
              void save().then((isSaved) => setState(isSaved ? "saved" : "failed"));
            }}
          >
            Try again
          </Button>
        </>
      )}
      {state === "saved" && (
        <>
          <p>
            All answers are saved. This link brings you back to this page, on any phone or computer, {lasting}. Whoever
            has it can read your answers, so keep it where only you can see it.
          </p>
          <LinkToCopy address={address} />
        </>
      )}
      <Button variant="default" size="lg" fullWidth onClick={() => dialog.current?.close()}>
        Go on answering
      </Button>
      <button type="button" className="form-leave form-leave-wide" onClick={onLeave}>
        Leave this page
      </button>
    </dialog>
  );
}

function LinkToCopy({ address }: { address: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const link = useRef<HTMLInputElement>(null);
  const copy = async () => {
    link.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setIsCopied(true);
    } catch (error) {
      // It is selected, so that it can be copied by hand.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  };
  return (
    <>
      <input
        ref={link}
        className="form-input"
        readOnly
        aria-label="Your link"
        value={address}
        onFocus={() => link.current?.select()}
      />
      <Button size="lg" fullWidth onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy the link"}
      </Button>
    </>
  );
}
