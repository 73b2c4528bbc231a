// What was written here and has not reached the server, in the browser's database: it survives a reload.
import type { NoteKind, SessionNote } from "@app/shared/notes";
import type { RichText } from "@app/shared/rich-text";
import type { Visibility } from "@app/shared/visibility";
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { useSyncExternalStore } from "react";
import { keptName } from "../../core/kept.ts";
import { onSessionChange } from "../../core/session-state.ts";

/** A recorded MIAM at which something was said, and whose it was. */
export interface Miam {
  id: string;
  partyId: string;
}

/** A text that was begun. */
export interface Draft {
  text: RichText;
  /** For a new note: what it was to become, and for whom. */
  choice?: { kind: NoteKind; visibility: Visibility; miam?: Miam | null };
  /** For a note that is being changed: the version that was changed, and the save whose answer is still out. */
  edit?: { version: number; sent: { saveId: string; body: RichText } | null };
}

/** A note that its writer has saved, until the server has it. */
export interface NewNote {
  writtenAt: number;
  place: { clientId: string; caseId: string | null; assessmentId?: string } | { sessionId: string };
  note: SessionNote;
}

interface Shape extends DBSchema {
  drafts: { key: string; value: Draft };
  notes: { key: string; value: NewNote };
}

const FORMAT = 1;

let opened: { name: string; database: Promise<IDBPDatabase<Shape>> } | null = null;
let kept: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

onSessionChange(() => {
  if (opened && opened.name !== keptName()) {
    void opened.database.then(
      (store) => store.close(),
      () => undefined,
    );
    opened = null;
    become([]);
  }
});

function database(): Promise<IDBPDatabase<Shape>> {
  const name = keptName();
  if (!name) return Promise.reject(new Error("Nobody is signed in"));
  if (opened?.name !== name) opened = { name, database: open(name) };
  return opened.database;
}

const open = (name: string) =>
  openDB<Shape>(name, FORMAT, {
    upgrade(fresh) {
      fresh.createObjectStore("drafts");
      fresh.createObjectStore("notes");
    },
    // Another tab empties it because this sign-in is over: from now on nothing is written to it from here.
    blocking: (_current, _wanted, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
      become([]);
    },
  });

function become(keys: Iterable<string>): void {
  kept = new Set(keys);
  for (const listener of listeners) listener();
}

type Changing = IDBPTransaction<Shape, ["drafts", "notes"], "readwrite">;

let writing = 0;

/** Whether it is kept can be asked afterwards: a browser that keeps nothing is no failure of the note. */
async function write(key: string, work: (changing: Changing) => Promise<unknown>, isThere: boolean) {
  writing += 1;
  const isDone = await commit(work).then(
    () => true,
    () => false,
  );
  writing -= 1;
  if (isDone && isThere) become([...kept, key]);
  else become([...kept].filter((other) => other !== key));
}

/** At once: what is left to commit itself is lost with a page that goes away in the next moment. */
async function commit(work: (changing: Changing) => Promise<unknown>) {
  const changing = (await database()).transaction(["drafts", "notes"], "readwrite");
  const worked = work(changing);
  changing.commit();
  await Promise.all([worked, changing.done]);
}

export const keepDraft = (place: string, draft: Draft | null): Promise<void> =>
  draft
    ? write(place, (changing) => changing.objectStore("drafts").put(draft, place), true)
    : write(place, (changing) => changing.objectStore("drafts").delete(place), false);

export const keepNote = (note: NewNote): Promise<void> =>
  write(note.note.id, (changing) => changing.objectStore("notes").put(note, note.note.id), true);

export const forgetNote = (id: string): Promise<void> =>
  write(id, (changing) => changing.objectStore("notes").delete(id), false);

/** Everything that is kept; nothing where this browser keeps nothing. */
export async function readKept(): Promise<{ drafts: [string, Draft][]; notes: NewNote[] }> {
  try {
    const store = await database();
    const places = await store.getAllKeys("drafts");
    const texts = await store.getAll("drafts");
    const notes = await store.getAll("notes");
    become([...kept, ...places, ...notes.map(({ note }) => note.id)]);
    const drafts = places.flatMap((place, index): [string, Draft][] => {
      const draft = texts[index];
      return draft ? [[place, draft]] : [];
    });
    return { drafts, notes: notes.toSorted((one, other) => one.writtenAt - other.writtenAt) };
  } catch {
    return { drafts: [], notes: [] };
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Something was written and is not on the disk yet. */
export const isWriting = (): boolean => writing > 0;

/** What is on the disk, by the places of drafts and the ids of notes. */
export const keptNow = (): ReadonlySet<string> => kept;
export const useKept = (): ReadonlySet<string> => useSyncExternalStore(subscribe, keptNow);
