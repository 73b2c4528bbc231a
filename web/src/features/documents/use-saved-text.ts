// The text on the screen: stored a moment after somebody stopped, and never over what another person wrote meanwhile.
import type { DocumentContent } from "@app/shared/document-content";
import { ownWords } from "@app/shared/document-compare";
import { useEffect, useRef, useState } from "react";
import { isStale, messageOf } from "../../core/errors.ts";
import { useUnsaved } from "../../ui/unsaved.ts";
import { type Stored, useNewerVersion } from "../../ui/use-newer-version.ts";
import type { VersionField } from "../../ui/version-fields.ts";

const PAUSE_MS = 900;

/** A template or a document, as far as it is written. */
export interface Text {
  id: string;
  name: string;
  content: DocumentContent;
  version: number;
  updatedAt: string;
  updatedByName: string;
}
type Draft = Pick<Text, "name" | "content">;

export interface TextWays {
  /** Stores over this version; rejects as stale where there is a newer one. */
  save: (draft: Draft & { id: string; version: number; isRestored: boolean }) => Promise<Text>;
  read: () => Promise<Text>;
}

const FIELDS: readonly VersionField<Draft>[] = [
  {
    key: "name",
    label: "Name",
    value: ({ name }) => name,
    take: (into, { name }) => ({ ...into, name }),
    text: ({ name }) => name,
  },
  {
    key: "content",
    label: "Text",
    value: ({ content }) => content,
    take: (into, { content }) => ({ ...into, content }),
    text: ({ content }, other) => (other ? ownWords(content, other.content) : ""),
  },
];

const draftOf = ({ name, content }: Text): Draft => ({ name, content });
const storedOf = (text: Text): Stored<Draft> => ({
  values: draftOf(text),
  version: text.version,
  savedBy: { name: text.updatedByName, at: text.updatedAt },
});

export function useSavedText(text: Text, ways: TextWays, isReadOnly: boolean) {
  const [draft, setDraft] = useState(() => draftOf(text));
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [savedAt, setSavedAt] = useState(text.updatedAt);
  const isRestored = useRef(false);
  const newer = useNewerVersion<Draft>({
    fields: FIELDS,
    stored: storedOf(text),
    values: draft,
    setValues: setDraft,
    async send(values, version) {
      const saved = await ways.save({ id: text.id, version, ...values, isRestored: isRestored.current });
      isRestored.current = false;
      setSavedAt(saved.updatedAt);
      // As it was typed: what the server leaves out is not taken away while somebody types on.
      return { ...storedOf(saved), values };
    },
    read: async () => storedOf(await ways.read()),
    isStale,
  });
  const mustChoose = newer.clashes.length > 0;
  const isWaiting = newer.isDirty && !newer.isSaving && problem === null && failure === null;

  async function save(): Promise<void> {
    setFailure(null);
    try {
      await newer.save(draft);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  useEffect(() => {
    if (!isWaiting || mustChoose || isReadOnly) return;
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  useUnsaved(() => newer.isDirty && !isReadOnly);

  return {
    draft,
    newer,
    save,
    savedAt,
    mustChoose,
    /** Why nothing is stored at the moment. */
    failure: failure ?? problem,
    setFailure: (error: unknown) => setFailure(messageOf(error)),
    rename: (name: string): void => {
      setFailure(null);
      setDraft((before) => ({ ...before, name }));
    },
    write: (content: DocumentContent): void => {
      setFailure(null);
      setProblem(null);
      setDraft((before) => ({ ...before, content }));
    },
    /** What stands on the screen cannot be kept, and why. */
    refuse: setProblem,
    restore: (content: DocumentContent): void => {
      isRestored.current = true;
      setProblem(null);
      setDraft((before) => ({ ...before, content }));
    },
  };
}
export type SavedText = ReturnType<typeof useSavedText>;
