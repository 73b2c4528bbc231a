// Notes that their writer has saved and the server has not got yet: they stand on the page until it has.
import { useSyncExternalStore } from "react";
import { apiUtils, cachingClient } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify } from "../../core/notify.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { forgetNote, keepNote, type NewNote } from "./kept-store.ts";
import { sendSurely } from "./save-queue.ts";

export interface UnsavedNote extends NewNote {
  /** What the server said when it refused it. */
  failure: string;
}

let unsaved: readonly UnsavedNote[] = [];
let writer = sessionState().status?.user?.userId;
const listeners = new Set<() => void>();

function become(next: readonly UnsavedNote[]): void {
  unsaved = next;
  for (const listener of listeners) listener();
}

const others = (id: string) => unsaved.filter((each) => each.note.id !== id);

/** Keeps the note on this device and sends it. */
export async function saveNewNote(one: NewNote): Promise<void> {
  const { place, note } = one;
  become([{ ...one, failure: "" }, ...others(note.id)]);
  void keepNote(one);
  try {
    await sendSurely(() => create(one), note.id);
  } catch (error) {
    const failure = messageOf(error);
    become(unsaved.map((each) => (each.note.id === note.id ? { ...one, failure } : each)));
    return;
  }
  await forgetNote(note.id);
  await apiUtils.notes.invalidate();
  become(others(note.id));
  if ("clientId" in place) notify("Note saved");
}

const create = ({ place, note }: NewNote) =>
  "sessionId" in place
    ? cachingClient.sessions.addNote.mutate({ ...place, note })
    : cachingClient.notes.create.mutate({ ...place, ...note });

/** Goes on with what was kept, but for what is on its way already. */
export function restoreNewNote(one: NewNote): void {
  if (!unsaved.some(({ note }) => note.id === one.note.id)) void saveNewNote(one);
}

/** Gives up one that the server refused. */
export function discardNewNote(id: string): void {
  become(others(id));
  void forgetNote(id);
}

onSessionChange(() => {
  const user = sessionState().status?.user?.userId;
  if (!user || user === writer) return;
  writer = user;
  become([]);
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useUnsavedNotes = (): readonly UnsavedNote[] => useSyncExternalStore(subscribe, () => unsaved);
