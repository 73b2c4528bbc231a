import { Button } from "@mantine/core";
import { RichTextView } from "../../ui/rich-text-view.tsx";
import { discardNewNote, saveNewNote, type UnsavedNote as Unsaved } from "./new-notes.ts";
import type { NamedParty } from "../visibility/visibility-words.ts";
import { NoteFrame } from "./note-frame.tsx";

interface Props {
  unsaved: Unsaved;
  parties: readonly NamedParty[];
}

/** A note on its way to the server. */
export function UnsavedNote({ unsaved: { failure, ...one }, parties }: Props) {
  const { id, visibility, body } = one.note;
  return (
    <NoteFrame visibility={visibility} parties={parties} time="Not saved yet" label="Note that is not saved yet">
      <div className="note-body">
        <RichTextView doc={body} />
      </div>
      {failure && (
        <div className="note-foot" role="alert">
          <span className="note-state">Not saved. {failure}</span>
          <Button size="xs" variant="default" onClick={() => void saveNewNote(one)}>
            Try again
          </Button>
          <Button size="xs" variant="default" onClick={() => discardNewNote(id)}>
            Discard it
          </Button>
        </div>
      )}
    </NoteFrame>
  );
}
