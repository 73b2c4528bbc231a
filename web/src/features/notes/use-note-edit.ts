import type { Note } from "@app/shared/notes";
import { useEffect, useState, useSyncExternalStore } from "react";
import { editOf, onEdit, openEditor, placeOfEdit, startEdit } from "./note-edits.ts";
import { useKept } from "./kept-store.ts";

/** What an editor of this note shows. */
export function useNoteEdit(note: Note) {
  useState(() => startEdit(note));
  useEffect(() => openEditor(note.id), [note.id]);
  const edit = useSyncExternalStore(onEdit, () => editOf(note.id));
  return { edit, isOnDevice: useKept().has(placeOfEdit(note.id)) };
}
