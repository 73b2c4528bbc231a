// Notes that are being changed: each saves itself a second after the last key, and what is not saved is a draft, so
// that it goes on after a reload too. Where somebody else saved meanwhile, both texts are kept.
import type { Note } from "@app/shared/notes";
import type { RichText } from "@app/shared/rich-text";
import { apiUtils, cachingClient } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notifyError } from "../../core/notify.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { setDraft } from "./drafts.ts";
import type { Draft } from "./kept-store.ts";
import { sendSurely } from "./save-queue.ts";

const DELAY_MS = 1000;
const PLACE = "note/";

export type SaveState = "saved" | "typing" | "saving" | "too_long" | "refused";

export interface Edit {
  state: SaveState;
  failure: string;
  /** What was typed and is not saved. */
  text: RichText | null;
  editConflict: { current: Note; mine: RichText } | null;
  version: number;
  sent: NonNullable<Draft["edit"]>["sent"];
  isSending: boolean;
}

const edits = new Map<string, Edit>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
const openEditors = new Set<string>();

export const editOf = (id: string): Edit | undefined => edits.get(id);
/** Something of this note is not saved, such as what was typed before the page was loaded anew. */
export const hasUnsavedEdit = (id: string): boolean => Boolean(edits.get(id)?.text);
export const placeOfEdit = (id: string): string => PLACE + id;

export function onEdit(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function put(id: string, edit: Edit): void {
  edits.set(id, edit);
  const { text, version, sent } = edit;
  setDraft(placeOfEdit(id), text && { text, edit: { version, sent } });
  for (const listener of listeners) listener();
}

const fresh = (version: number): Edit => ({
  state: "saved",
  failure: "",
  text: null,
  editConflict: null,
  version,
  sent: null,
  isSending: false,
});

/** Goes on from what is stored, or from what was not saved. */
export function startEdit({ id, version }: Note): void {
  const before = edits.get(id);
  if (!before || (!before.text && !before.isSending)) put(id, fresh(version));
}

/** Gives what closes the editor again: what was typed last is sent then. */
export function openEditor(id: string): () => void {
  openEditors.add(id);
  return () => {
    openEditors.delete(id);
    void saveEdit(id);
  };
}

export function changeEdit(id: string, text: RichText | null): void {
  const before = edits.get(id);
  if (!before) return;
  clearTimeout(timers.get(id));
  // What is too long to be saved does not replace what was typed before it.
  put(id, text ? { ...before, text, state: "typing" } : { ...before, state: "too_long" });
  if (text) saveLater(id);
}

const saveLater = (id: string) =>
  timers.set(
    id,
    setTimeout(() => void saveEdit(id), DELAY_MS),
  );

/** Goes on from the newer version, with the text that the person chose. */
export function resolveEdit(id: string, current: Note, text: RichText | null): void {
  put(id, { ...fresh(current.version), text });
  void saveEdit(id);
}

export function discardEdit(id: string): void {
  const before = edits.get(id);
  if (before) put(id, fresh(before.version));
}

export async function saveEdit(id: string): Promise<void> {
  clearTimeout(timers.get(id));
  const edit = edits.get(id);
  // One save at a time: the next one needs the version that this one makes.
  if (!edit?.text || edit.isSending || edit.editConflict) return;
  const sent = edit.sent ?? { saveId: makeId(), body: edit.text };
  put(id, { ...edit, sent, isSending: true, state: "saving" });
  const input = { id, version: edit.version, ...sent };
  try {
    const saved = await sendSurely(() => cachingClient.notes.update.mutate(input), placeOfEdit(id));
    settle(id, sent.body, saved.version);
    void apiUtils.notes.invalidate();
  } catch (error) {
    await fail(id, error);
  }
}

function settle(id: string, saved: RichText, version: number): void {
  const now = edits.get(id);
  if (!now) return;
  const isAll = JSON.stringify(now.text) === JSON.stringify(saved);
  const rest = { ...now, version, sent: null, isSending: false };
  if (isAll) put(id, { ...rest, text: null, state: now.state === "too_long" ? "too_long" : "saved" });
  else {
    put(id, { ...rest, state: now.state === "too_long" ? "too_long" : "typing" });
    saveLater(id);
  }
}

async function fail(id: string, error: unknown): Promise<void> {
  const refuse = (cause: unknown) => {
    const now = edits.get(id);
    if (now) put(id, { ...now, sent: null, isSending: false, failure: messageOf(cause), state: "refused" });
  };
  if (!isStale(error)) return refuse(error);
  void apiUtils.notes.invalidate();
  try {
    const current = await sendSurely(() => cachingClient.notes.get.query({ id }), placeOfEdit(id));
    const now = edits.get(id);
    if (!now?.text) return;
    put(id, { ...now, sent: null, isSending: false, editConflict: { current, mine: now.text } });
  } catch (cause) {
    return refuse(cause);
  }
  if (!openEditors.has(id))
    notifyError("Someone else changed the note that you left. Open it again to see both texts.");
}

/** Goes on with what was kept on this device. */
export function restoreEdit(place: string, { text, edit }: Draft): void {
  if (!edit || !place.startsWith(PLACE)) return;
  const id = place.slice(PLACE.length);
  if (edits.has(id)) return;
  put(id, { ...fresh(edit.version), text, sent: edit.sent });
  void saveEdit(id);
}

onSessionChange(() => {
  if (sessionState().status?.user) return;
  edits.clear();
  for (const timer of timers.values()) clearTimeout(timer);
});
