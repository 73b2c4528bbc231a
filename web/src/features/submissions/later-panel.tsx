import type { OpenedForm } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { SavedLink } from "./saved-link.tsx";
import type { Filling } from "./use-filling.ts";

interface Props extends Pick<OpenedForm, "expiresAt" | "mailsTo"> {
  filling: Filling;
  onLeave: () => void;
  onClose: () => void;
}

type State = "saving" | "saved" | "failed";

/** Saves, and gives the link that leads back here on any phone or computer. */
export function LaterPanel({
  filling: { save, saveState, placeNow, why },
  expiresAt,
  mailsTo,
  onLeave,
  onClose,
}: Props) {
  const [asked, setState] = useState<State>("saving");
  // The line came back by itself meanwhile.
  const state = asked === "failed" && saveState === "saved" ? "saved" : asked;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    void save().then((isSaved) => setState(isSaved ? "saved" : "failed"));
  }, [save]);
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
      {state === "saved" && <SavedLink place={placeNow()} expiresAt={expiresAt} mailsTo={mailsTo} />}
      <Button variant="default" size="lg" fullWidth onClick={() => dialog.current?.close()}>
        Go on answering
      </Button>
      <button type="button" className="form-leave form-leave-wide" onClick={onLeave}>
        Leave this page
      </button>
    </dialog>
  );
}
