// The draft on the screen, what was done to it, and that it is stored a moment after somebody stopped.
import type { Form } from "@app/shared/forms";
import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { useUnsaved } from "../../ui/unsaved.ts";
import { useNewerVersion } from "../../ui/use-newer-version.ts";
import { type Draft, draftFields, draftOf, storedOf, whyNotStored } from "./builder-draft.ts";
import { begin, redo, replace, step, taking, undo } from "./form-history.ts";

const PAUSE_MS = 900;

export function useSavedDraft(form: Form) {
  const [history, setHistory] = useState(() => begin(draftOf(form)));
  const [failure, setFailure] = useState<string | null>(null);
  const draft = history.present;
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  });
  const { newer, savedAt } = useStoring(form, draft, (next) =>
    setHistory((before) => (typeof next === "function" ? taking(before, next) : replace(before, next))),
  );
  const problem = whyNotStored(draft);
  const isWaiting = newer.isDirty && !newer.isSaving && problem === null && failure === null;
  const mustChoose = newer.clashes.length > 0;

  async function save(): Promise<void> {
    setFailure(null);
    try {
      await newer.save(draft);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  useEffect(() => {
    if (!isWaiting || mustChoose || form.status === "archived") return;
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  useUnsaved(() => newer.isDirty);

  return {
    draft,
    newer,
    save,
    savedAt,
    /** Why nothing is stored at the moment. */
    failure: failure ?? problem,
    mustChoose,
    setFailure: (error: unknown) => setFailure(messageOf(error)),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: (change: (draft: Draft) => Draft, about: string | null = null) => {
      setFailure(null);
      setHistory((before) => step(before, change(before.present), about));
    },
    undo: () => setHistory(undo),
    /** What stands on the screen now, for what is asked for later. */
    now: () => latest.current,
    redo: () => setHistory(redo),
  };
}

/** Stores the draft over the version that it was made from. */
function useStoring(form: Form, draft: Draft, setDraft: Dispatch<SetStateAction<Draft>>) {
  const utils = api.useUtils();
  const saving = api.forms.save.useMutation();
  const [savedAt, setSavedAt] = useState(form.updatedAt);
  const newer = useNewerVersion<Draft>({
    fields: draftFields,
    stored: storedOf(form),
    values: draft,
    setValues: setDraft,
    async send(values, version) {
      const saved = await saving.mutateAsync({ id: form.id, version, ...values });
      utils.forms.get.setData({ id: form.id }, saved);
      setSavedAt(saved.updatedAt);
      // As it was typed: a space that the server takes off the end of a line is not taken away while somebody types on.
      return { ...storedOf(saved), values };
    },
    read: async () => storedOf(await utils.forms.get.fetch({ id: form.id }, { staleTime: 0 })),
    isStale,
  });
  return { newer, savedAt };
}
