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
  const [state, setState] = useState<SaveState>("saved");
  const [failure, setFailure] = useState("");
  const { conflict, send, meet, goOnFrom } = useSending(note);
  const draft = useRef<RichText | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isBusy = useRef(false);
  const latestSave = useRef(async () => {});

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const body = draft.current;
    // One save at a time: the next one needs the version that this one makes.
    if (!body || isBusy.current) return;
    isBusy.current = true;
    draft.current = null;
    setState("saving");
    try {
      const newer = await send(body);
      if (newer) {
        meet({ current: newer, mine: draft.current ?? body });
        draft.current = null;
      } else setState(draft.current ? "typing" : "saved");
    } catch (error) {
      draft.current ??= body;
      setFailure(messageOf(error));
      setState("refused");
      return;
    } finally {
      isBusy.current = false;
    }
    if (draft.current) timer.current = setTimeout(() => void latestSave.current(), DELAY_MS);
  }, [send, meet]);

  useEffect(() => {
    latestSave.current = save;
  }, [save]);
  // What was typed last is sent when the editor closes.
  useEffect(() => () => void latestSave.current(), []);

  function change(doc: RichText | null) {
    clearTimeout(timer.current);
    draft.current = doc;
    setState(doc ? "typing" : "too_long");
    if (doc) timer.current = setTimeout(() => void save(), DELAY_MS);
  }

  /** Goes on from the newer version, with the text that the person chose. */
  function resolve(current: Note, body: RichText | null) {
    goOnFrom(current);
    draft.current = body;
    setState("saved");
    if (body) void save();
  }

  return { state, failure, conflict, change, resolve, save };
}

/** Sends texts, each over the version that the one before made, and keeps both texts where somebody else was first. */
function useSending({ id, version: first }: Note) {
  const utils = api.useUtils();
  const { mutateAsync: update } = api.notes.update.useMutation();
  const [conflict, setConflict] = useState<Conflict | null>(unsolved.get(id) ?? null);
  const version = useRef(first);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  /** What somebody else saved meanwhile, or null once this is saved. */
  const send = useCallback(
    async (body: RichText): Promise<Note | null> => {
      const input = { id, version: version.current, saveId: makeId(), body };
      const saved = await sendSurely(() => update(input)).catch(unlessStale);
      if (!saved) return sendSurely(() => utils.notes.get.fetch({ id }, { staleTime: 0 }));
      version.current = saved.version;
      void utils.notes.invalidate();
      return null;
    },
    [id, update, utils],
  );

  const meet = useCallback(
    (met: Conflict) => {
      unsolved.set(id, met);
      setConflict(met);
      if (!isOpen.current) notifyError("Someone else changed the note that you left. Open it again to see both texts.");
    },
    [id],
  );

  function goOnFrom(current: Note) {
    version.current = current.version;
    unsolved.delete(id);
    setConflict(null);
  }

  return { conflict, send, meet, goOnFrom };
}
