import type { Note } from "@app/shared/notes";
import { Button } from "@mantine/core";
import { useState } from "react";
import { NewerNoteDialog } from "./newer-note-dialog.tsx";
import { useOutgoing } from "./save-queue.ts";
import { TextEditor } from "./text-editor.tsx";
import { type SaveState, useNoteAutosave } from "./use-note-autosave.ts";

const WORDS: Record<SaveState, string> = {
  saved: "All saved",
  typing: "Not saved yet",
  saving: "Saving",
  too_long: "Not saved: this text is too long. Shorten it, or write a second note.",
  refused: "",
};

/** A saved note while it is being changed: it saves itself. */
export function NoteEditing({ note, onDone }: { note: Note; onDone: () => void }) {
  const saving = useNoteAutosave(note);
  const { isStuck } = useOutgoing();
  const [text, setText] = useState({ key: 0, body: note.body });
  const isWaiting = saving.state === "saving" && isStuck;
  return (
    <>
      <TextEditor key={text.key} initial={text.body} label="Note" onChange={saving.change} autoFocus />
      <div className="note-foot">
        <span role="status" className="note-state">
          {isWaiting ? "Not saved yet: waiting for the network. Keep this page open." : WORDS[saving.state]}
          {saving.state === "refused" && `Not saved. ${saving.failure}`}
        </span>
        {saving.state === "refused" ? (
          <Button variant="default" onClick={onDone}>
            Discard my changes
          </Button>
        ) : (
          <Button variant="default" disabled={saving.state === "too_long"} onClick={onDone}>
            Done
          </Button>
        )}
      </div>
      {saving.conflict && (
        <NewerNoteDialog
          current={saving.conflict.current}
          mine={saving.conflict.mine}
          onChoose={(body) => {
            const { current } = saving.conflict ?? { current: note };
            setText({ key: text.key + 1, body: body ?? current.body });
            saving.resolve(current, body);
          }}
        />
      )}
    </>
  );
}
