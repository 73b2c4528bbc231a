import { use, useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { NotePager } from "../notes/note-pager.tsx";
import { useUnsavedNotes } from "../notes/new-notes.ts";
import { NoteCard } from "../notes/note-card.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { restoreKept } from "../notes/restore-kept.ts";
import { UnsavedNote } from "../notes/unsaved-note.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { SessionComposer } from "./session-composer.tsx";
import "./cockpit-notes.css";

export function CockpitNotes() {
  use(restoreKept());
  const { session, theCase, isOpen } = useCockpit();
  const [page, setPage] = useState(1);
  const query = api.notes.list.useQuery(
    { caseId: session.caseId, sessionId: session.id, page },
    { placeholderData: (before) => before },
  );
  const unsaved = useUnsavedNotes().filter(({ place }) => "sessionId" in place && place.sessionId === session.id);
  const current = session.agenda.find(({ isDone }) => !isDone);
  return (
    <section className="cockpit-pane cockpit-notes" aria-label="Notes">
      <div className="cockpit-section-head">
        <h2>Notes</h2>
        {current && <span className="cockpit-topic-now">{current.topic}</span>}
      </div>
      {isOpen && <SessionComposer />}
      <div className="notes-list">
        {unsaved.map((each) => (
          <UnsavedNote key={each.note.id} unsaved={each} parties={namesOfParties(theCase)} />
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
              <NotePager page={page} total={total} isTotalExact={isTotalExact} onPage={setPage} />
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}
