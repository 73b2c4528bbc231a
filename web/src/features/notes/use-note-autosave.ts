import type { Note } from "@app/shared/notes";
import type { RichText } from "@app/shared/rich-text";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notifyError } from "../../core/notify.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { sendSurely } from "./save-queue.ts";

const DELAY_MS = 1000;

export type SaveState = "saved" | "typing" | "saving" | "too_long" | "refused";

interface Conflict {
  current: Note;
  mine: RichText;
}

// Texts that met a newer version after their editor was closed: they are shown when it opens again.
const unsolved = new Map<string, Conflict>();
onSessionChange(() => {
  if (!sessionState().status?.user) unsolved.clear();
});

/** Null where somebody else saved a newer version. */
function unlessStale(error: unknown): null {
  if (isStale(error)) return null;
  throw error;
}

/** Saves a note a second after the last key. Where somebody else saved it meanwhile, both texts are kept. */
export function useNoteAutosave(note: Note) {
  const utils = api.useUtils();
  const update = api.notes.update.useMutation();
  const [state, setState] = useState<SaveState>("saved");
  const [failure, setFailure] = useState("");
  const [conflict, setConflict] = useState<Conflict | null>(unsolved.get(note.id) ?? null);
  const version = useRef(note.version);
  const draft = useRef<RichText | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isBusy = useRef(false);
  const isOpen = useRef(true);
  const latestSave = useRef(async () => {});

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const body = draft.current;
    // One save at a time: the next one needs the version that this one makes.
    if (!body || isBusy.current) return;
    isBusy.current = true;
    draft.current = null;
    setState("saving");
    const input = { id: note.id, version: version.current, saveId: makeId(), body };
    try {
      const saved = await sendSurely(() => update.mutateAsync(input)).catch(unlessStale);
      if (saved) {
        version.current = saved.version;
        void utils.notes.invalidate();
        setState(draft.current ? "typing" : "saved");
      } else {
        const current = await sendSurely(() => utils.notes.get.fetch({ id: note.id }, { staleTime: 0 }));
        const met = { current, mine: draft.current ?? body };
        draft.current = null;
        unsolved.set(note.id, met);
        setConflict(met);
        if (!isOpen.current)
          notifyError("Someone else changed the note that you left. Open it again to see both texts.");
      }
    } catch (error) {
      draft.current ??= body;
      setFailure(messageOf(error));
      setState("refused");
      return;
    } finally {
      isBusy.current = false;
    }
    if (draft.current) timer.current = setTimeout(() => void latestSave.current(), DELAY_MS);
  }, [note.id, update, utils]);

  useEffect(() => {
    latestSave.current = save;
  }, [save]);
  // What was typed last is sent when the editor closes.
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      void latestSave.current();
    };
  }, []);

  function change(doc: RichText | null) {
    clearTimeout(timer.current);
    draft.current = doc;
    setState(doc ? "typing" : "too_long");
    if (doc) timer.current = setTimeout(() => void save(), DELAY_MS);
  }

  /** Goes on from the newer version, with the text that the person chose. */
  function resolve(current: Note, body: RichText | null) {
    version.current = current.version;
    draft.current = body;
    unsolved.delete(note.id);
    setConflict(null);
    setState("saved");
    if (body) void save();
  }

  return { state, failure, conflict, change, resolve, save };
}
