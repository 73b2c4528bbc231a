import type { MailCheck, MailDraft } from "@app/shared/mail-check";
import type { RichText } from "@app/shared/rich-text";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";

const CHECK_AFTER_MS = 350;
const SAVE_AFTER_MS = 1500;

interface Options {
  initial: MailDraft;
  /** When the draft that this goes on with was saved. */
  savedAt: string | null;
}

/** What is being written: checked and kept by itself a moment after each change. */
export function useCompose({ initial, savedAt }: Options) {
  const [draft, setDraft] = useState(initial);
  const [version, setVersion] = useState(0);
  const [isTooLong, setIsTooLong] = useState(false);
  const [template, setTemplate] = useState("");
  const change = (part: Partial<MailDraft>) => setDraft((before) => ({ ...before, ...part }));
  const write = (body: RichText | null) => {
    setIsTooLong(body === null);
    if (body) change({ body });
  };
  /** Another text than the one that was typed: the editor begins anew. */
  const replace = (part: Partial<MailDraft>, name: string) => {
    change(part);
    setTemplate(name);
    setIsTooLong(false);
    setVersion((before) => before + 1);
  };
  return {
    draft,
    change,
    write,
    replace,
    template,
    version,
    isTooLong,
    ...useCheck(draft),
    ...useSaving(draft, savedAt),
  };
}

export type Compose = ReturnType<typeof useCompose>;

function useCheck(draft: MailDraft) {
  const { mutateAsync } = api.compose.check.useMutation();
  const [answer, setAnswer] = useState<{ of: MailDraft; check: MailCheck } | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      try {
        const check = await mutateAsync(draft);
        if (!isOver) setAnswer({ of: draft, check });
        setFailure("");
      } catch (error) {
        if (!isOver) setFailure(messageOf(error));
      }
    };
    const timer = setTimeout(() => void ask(), CHECK_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [draft, mutateAsync]);
  return {
    check: answer?.check ?? null,
    /** Whether the answer is about what stands here now. */
    isChecked: answer?.of === draft,
    checkFailure: failure,
  };
}

function useSaving(draft: MailDraft, initialSavedAt: string | null) {
  const { mutateAsync } = api.compose.saveDraft.useMutation();
  const [savedAt, setSavedAt] = useState(initialSavedAt);
  const [saveFailure, setSaveFailure] = useState("");
  const saved = useRef(draft);
  const isStopped = useRef(false);
  const keep = useCallback(
    async (content: MailDraft) => {
      saved.current = content;
      try {
        setSavedAt((await mutateAsync(content)).savedAt);
        setSaveFailure("");
      } catch (error) {
        setSaveFailure(messageOf(error));
      }
    },
    [mutateAsync],
  );
  useEffect(() => {
    if (saved.current === draft) return;
    const timer = setTimeout(() => {
      if (!isStopped.current) void keep(draft);
    }, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, keep]);
  return {
    save: () => keep(draft),
    savedAt,
    saveFailure,
    /** Whether something was written that is not kept yet. */
    isUnsaved: () => saved.current !== draft,
    /** It was sent or thrown away: nothing is kept of it any more. */
    stopSaving: () => {
      isStopped.current = true;
    },
  };
}
