import type { Note } from "@app/shared/notes";
import { Button } from "@mantine/core";
import { useState } from "react";
import { NewerNoteDialog } from "./newer-note-dialog.tsx";
import { changeEdit, discardEdit, type Edit, editOf, resolveEdit } from "./note-edits.ts";
import { notSavedYet } from "./note-words.ts";
import { useSaveQueue } from "./save-queue.ts";
import { TextEditor } from "./text-editor.tsx";
import { useNoteEdit } from "./use-note-edit.ts";

const WORDS = {
  saved: "All saved",
  typing: "Not saved yet",
  saving: "Saving",
  too_long: "Not saved: this text is too long. Shorten it, or write a second note.",
} as const;

const wordsOf = ({ state, failure }: Edit): string => (state === "refused" ? `Not saved. ${failure}` : WORDS[state]);

/** A saved note while it is being changed: it saves itself. */
export function NoteEditing({ note, onDone }: { note: Note; onDone: () => void }) {
  const { edit, isOnDevice } = useNoteEdit(note);
  const { isStuck } = useSaveQueue();
  const [text, setText] = useState(() => ({ key: 0, body: editOf(note.id)?.text ?? note.body }));
  if (!edit) return null;
  const { state, editConflict } = edit;
  return (
    <>
      <TextEditor
        key={text.key}
        initial={text.body}
        label="Note"
        onChange={(changed) => changeEdit(note.id, changed)}
        autoFocus
      />
      <div className="note-foot">
        <span role="status" className="note-state">
          {state === "saving" && isStuck ? notSavedYet(1, isOnDevice) : wordsOf(edit)}
        </span>
        {state === "refused" ? (
          <Button
            variant="default"
            onClick={() => {
              discardEdit(note.id);
              onDone();
            }}
          >
            Discard my changes
          </Button>
        ) : (
          <Button variant="default" disabled={state === "too_long"} onClick={onDone}>
            Done
          </Button>
        )}
      </div>
      {editConflict && (
        <NewerNoteDialog
          current={editConflict.current}
          mine={editConflict.mine}
          onChoose={(body) => {
            setText({ key: text.key + 1, body: body ?? editConflict.current.body });
            resolveEdit(note.id, editConflict.current, body);
          }}
        />
      )}
    </>
  );
}
