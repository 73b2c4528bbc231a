import { UNDO_SECONDS } from "@app/shared/mail-check";
import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { SendLater } from "./compose-later.tsx";
import type { Compose } from "./use-compose.ts";

interface Props {
  compose: Compose;
  onClose: () => void;
  /** Closes without keeping anything. */
  onGone: () => void;
}

export function ComposeFoot({ compose, onClose, onGone }: Props) {
  const { send, isSending } = useSend(compose, onGone);
  const discard = useDiscard(compose, onGone);
  const isReady = compose.isChecked && compose.check?.problems.length === 0 && !compose.isTooLong;
  const saveAndClose = async () => {
    await compose.save();
    onClose();
  };
  return (
    <>
      <span data-left className="compose-saved">
        <SavedState compose={compose} />
        <Button size="xs" variant="subtle" onClick={() => void discard()}>
          Discard
        </Button>
      </span>
      <Button variant="default" onClick={() => void saveAndClose()}>
        Save draft
      </Button>
      <SendLater isDisabled={!isReady || isSending} onChoose={(sendAt) => void send(sendAt)} />
      <Button
        disabled={!isReady}
        loading={isSending}
        leftSection={<IconSend size={16} stroke={1.7} aria-hidden />}
        onClick={() => void send(null)}
      >
        Send
      </Button>
    </>
  );
}

function SavedState({ compose: { savedAt, saveFailure, apart } }: { compose: Compose }) {
  const formats = useFormats();
  if (saveFailure) return <span role="alert">The draft was not saved: {saveFailure}</span>;
  if (apart) return <span role="alert">{apart}</span>;
  return <span className="compose-detail">{savedAt ? `Draft saved ${formats.time(savedAt)}` : "Not saved yet"}</span>;
}

/** Sends, with a way to take it back for as long as it has not left. */
function useSend(compose: Compose, onGone: () => void) {
  const utils = api.useUtils();
  const formats = useFormats();
  const mutation = api.compose.send.useMutation();
  const cancel = api.outbox.cancel.useMutation();
  const saveDraft = api.compose.saveDraft.useMutation();
  const [newId, renewId] = useNewId();
  const [isSending, setIsSending] = useState(false);
  const refresh = () =>
    void Promise.all([
      utils.compose.invalidate(),
      utils.outbox.invalidate(),
      utils.timeline.invalidate(),
      ...(compose.draft.isInvitation
        ? [utils.cases.invalidate(), utils.casework.invalidate(), utils.tasks.invalidate()]
        : []),
    ]);
  const undo = async (id: string) => {
    try {
      await cancel.mutateAsync({ id });
      await saveDraft.mutateAsync({ ...compose.draft, kept: { ...compose.kept(), version: 0 } });
      notify("The message was not sent. It is kept as a draft: choose Write to go on");
    } catch (error) {
      notifyError(messageOf(error));
    }
    refresh();
  };
  const send = async (sendAt: string | null) => {
    setIsSending(true);
    const kept = await compose.stopSaving();
    try {
      const { id } = await mutation.mutateAsync({ id: newId, ...compose.draft, kept, sendAt });
      renewId();
      onGone();
      const words = sendAt ? `It will be sent on ${formats.dateTime(sendAt)}` : "The message is on its way";
      notify(words, { label: "Undo", onAct: () => void undo(id), seconds: UNDO_SECONDS });
    } catch (error) {
      compose.goOnSaving();
      notifyError(messageOf(error));
      // Another window has ended it: what stands here is a draft of its own from now on.
      if (isStale(error)) await compose.save();
    } finally {
      setIsSending(false);
      refresh();
    }
  };
  return { send, isSending };
}

/** Throws away what was written; it can be had back for a moment. */
function useDiscard(compose: Compose, onGone: () => void) {
  const discard = api.compose.discardDraft.useMutation();
  const saveDraft = api.compose.saveDraft.useMutation();
  return async () => {
    const { draft } = compose;
    const kept = await compose.stopSaving();
    try {
      await discard.mutateAsync({ clientId: draft.clientId, caseId: draft.caseId, kept });
      onGone();
      const undo = () => void saveDraft.mutateAsync({ ...draft, kept: { ...kept, version: 0 } });
      notify("The draft was discarded", { label: "Undo", onAct: undo });
    } catch (error) {
      if (isStale(error)) {
        onGone();
        return notify("Another window went on with this draft, so it is kept: choose Write to see it");
      }
      compose.goOnSaving();
      notifyError(messageOf(error));
    }
  };
}
