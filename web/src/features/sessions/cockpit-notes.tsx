import type { SessionNote } from "@app/shared/notes";
import { PAGE_SIZE } from "@app/shared/product";
import type { RichText } from "@app/shared/rich-text";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api, cachingClient } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { makeId } from "../../core/new-id.ts";
import { Pager } from "../../ui/pager.tsx";
import { RichTextView } from "../../ui/rich-text-view.tsx";
import { NoteCard } from "../notes/note-card.tsx";
import { NoteFrame } from "../notes/note-frame.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { sendSurely } from "../notes/save-queue.ts";
import { useCockpit } from "./cockpit-context.ts";
import type { Owner } from "./owner-picker.tsx";
import { SessionComposer } from "./session-composer.tsx";
import "./cockpit-notes.css";

interface Unsaved {
  note: SessionNote;
  failure: string;
}

export function CockpitNotes() {
  const { session, theCase, isOpen } = useCockpit();
  const [page, setPage] = useState(1);
  const query = api.notes.list.useQuery(
    { caseId: session.caseId, sessionId: session.id, page },
    { placeholderData: (before) => before },
  );
  const { unsaved, save, drop } = useUnsavedNotes(session.id);
  const current = session.agenda.find(({ isDone }) => !isDone);
  return (
    <section className="cockpit-pane cockpit-notes" aria-label="Notes">
      <div className="cockpit-section-head">
        <h2>Notes</h2>
        {current && <span className="cockpit-topic-now">{current.topic}</span>}
      </div>
      {isOpen && <SessionComposer onSave={save} />}
      <div className="notes-list">
        {unsaved.map((each) => (
          <UnsavedNote
            key={each.note.id}
            unsaved={each}
            onRetry={() => save(each.note, each.note.body)}
            onDrop={drop}
          />
        ))}
        <Loaded query={query} failureTitle="The notes could not be read">
          {({ items, total, isTotalExact }) => (
            <>
              {total === 0 && unsaved.length === 0 && <p className="cockpit-none">No notes in this session yet.</p>}
              {items.map((note) => (
                <NoteCard
                  key={note.id}
                  note={note}
                  theCase={theCase}
                  session={{ id: session.id, issue: current?.topic ?? "" }}
                />
              ))}
              {total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={total}
                  isTotalExact={isTotalExact}
                  words={["note", "notes"]}
                  onPage={setPage}
                />
              )}
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}

interface UnsavedProps {
  unsaved: Unsaved;
  onRetry: () => void;
  onDrop: (id: string) => void;
}

function UnsavedNote({ unsaved: { note, failure }, onRetry, onDrop }: UnsavedProps) {
  const { theCase } = useCockpit();
  return (
    <NoteFrame
      visibility={note.visibility}
      parties={namesOfParties(theCase)}
      time="Not saved yet"
      label="Note that is not saved yet"
    >
      <div className="note-body">
        <RichTextView doc={note.body} />
      </div>
      {failure && (
        <div className="note-foot" role="alert">
          <span className="note-state">Not saved. {failure}</span>
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
          <Button size="xs" variant="default" onClick={() => onDrop(note.id)}>
            Discard it
          </Button>
        </div>
      )}
    </NoteFrame>
  );
}

/** Notes on their way to the server: they stand on the page until they have arrived. */
function useUnsavedNotes(sessionId: string) {
  const utils = api.useUtils();
  const [unsaved, setUnsaved] = useState<Unsaved[]>([]);
  const drop = (id: string) => setUnsaved((before) => before.filter(({ note }) => note.id !== id));

  async function send(note: SessionNote) {
    setUnsaved((before) => [{ note, failure: "" }, ...before.filter((each) => each.note.id !== note.id)]);
    try {
      await sendSurely(() => cachingClient.sessions.addNote.mutate({ sessionId, note }));
      await utils.notes.list.invalidate();
      drop(note.id);
    } catch (error) {
      const failure = messageOf(error);
      setUnsaved((before) => before.map((each) => (each.note.id === note.id ? { note, failure } : each)));
    }
  }
  const save = ({ visibility, kind, id }: Pick<Owner, "visibility" | "kind"> & { id?: string }, body: RichText) =>
    void send({ id: id ?? makeId(), visibility, kind, body });
  return { unsaved, save, drop };
}
