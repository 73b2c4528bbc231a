import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { Button } from "@mantine/core";
import { IconNotes, IconPlus } from "@tabler/icons-react";
import { use, useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { NotePager } from "./note-pager.tsx";
import { NoteCard } from "./note-card.tsx";
import { draftAt } from "./drafts.ts";
import { useUnsavedNotes } from "./new-notes.ts";
import { NoteComposer, placeOfNewNote } from "./note-composer.tsx";
import { namesOfParties } from "./note-words.ts";
import { restoreKept } from "./restore-kept.ts";
import { SavingState } from "./saving-state.tsx";
import { UnsavedNote } from "./unsaved-note.tsx";
import "./notes.css";

interface Props {
  clientId: string;
  /** The case that the page shows; its notes stand among those of the client. */
  theCase: Case | null;
  /** The address asks for a new note. */
  isNew: boolean;
  /** It is written, or not wanted any more. */
  onNewDone: () => void;
}

export function ClientNotesTab({ clientId, theCase, isNew, onNewDone }: Props) {
  use(restoreKept());
  const user = useCurrentUser();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [isBegun, setIsBegun] = useState(() => draftAt(placeOfNewNote(clientId, theCase)) !== undefined);
  const isWriting = isBegun || (isNew && can(user, "clients.write"));
  const close = () => {
    setIsBegun(false);
    if (isNew) onNewDone();
  };
  const unsaved = useUnsavedHere(clientId, theCase);
  const query = api.notes.list.useQuery(
    { clientId, search, page, ...(theCase ? { caseId: theCase.id } : {}) },
    { placeholderData: (before) => before },
  );
  const write = can(user, "clients.write") && !isWriting && (
    <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />} onClick={() => setIsBegun(true)}>
      New note
    </Button>
  );
  return (
    <div className="notes">
      <FilterBar
        search={search}
        searchLabel="Search the notes"
        onSearch={(text) => {
          setSearch(text);
          setPage(1);
        }}
        filters={[]}
        onFilter={() => undefined}
      >
        <SavingState />
        {write}
      </FilterBar>
      {isWriting && <NoteComposer key={theCase?.id} clientId={clientId} theCase={theCase} onClose={close} />}
      <Loaded query={query} failureTitle="The notes could not be read">
        {({ items, total, isTotalExact }) => (
          <>
            {total === 0 && !isWriting && unsaved.length === 0 && <NoNotes isSearch={search !== ""} />}
            <div className="notes-list">
              {unsaved
                .filter(({ note }) => items.every(({ id }) => id !== note.id))
                .map((each) => (
                  <UnsavedNote key={each.note.id} unsaved={each} parties={namesOfParties(theCase)} />
                ))}
              {items.map((note) => (
                <NoteCard key={note.id} note={note} theCase={note.caseId === null ? null : theCase} />
              ))}
            </div>
            <NotePager page={page} total={total} isTotalExact={isTotalExact} onPage={setPage} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Of this client or of the case that the page shows. */
const useUnsavedHere = (clientId: string, theCase: Case | null) =>
  useUnsavedNotes().filter(({ place }) => {
    if (!("clientId" in place)) return false;
    return place.caseId === null ? place.clientId === clientId : place.caseId === theCase?.id;
  });

function NoNotes({ isSearch }: { isSearch: boolean }) {
  if (isSearch) {
    return (
      <EmptyState title="No note holds these words" order={3}>
        <p>A note is found when it contains every word. Try fewer words.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconNotes size={24} stroke={1.7} />} title="No notes yet" order={3}>
      <p>Keep calls, file notes and what a party said in confidence here. Each note says who can read it.</p>
    </EmptyState>
  );
}
