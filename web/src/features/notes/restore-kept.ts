import { keptName } from "../../core/kept.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { restoreDraft } from "./drafts.ts";
import { readKept } from "./kept-store.ts";
import { restoreNewNote } from "./new-notes.ts";
import { restoreEdit } from "./note-edits.ts";

let restored: { name: string | null; done: Promise<void> } | null = null;

/** Once for each sign-in: takes over what this device kept, and sends what waits to be saved. */
export function restoreKept(): Promise<void> {
  const name = keptName();
  if (restored?.name !== name) restored = { name, done: restore() };
  return restored.done;
}

async function restore(): Promise<void> {
  const { drafts, notes } = await readKept();
  for (const [place, draft] of drafts) {
    restoreDraft(place, draft);
    restoreEdit(place, draft);
  }
  for (const note of notes) restoreNewNote(note);
}

onSessionChange(() => {
  if (!sessionState().status?.user) restored = null;
});
