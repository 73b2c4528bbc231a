import type { KeptDraft, MailCheck, MailDraft, MailStart } from "@app/shared/mail-check";
import type { RichText } from "@app/shared/rich-text";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { isStale, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";

const CHECK_AFTER_MS = 350;
const SAVE_AFTER_MS = 1500;

interface Options {
  initial: MailDraft;
  /** The stored draft that this goes on with; null where it is begun here. */
  begun: MailStart["draft"];
}

/** What is being written: checked and kept by itself a moment after each change. */
export function useCompose({ initial, begun }: Options) {
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
    ...useSaving(draft, begun),
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

const APART = "This text is kept as a separate draft.";

/** The draft as this window stored it last; where another window went on with it, it goes on as one of its own. */
function useKeptDraft(begun: MailStart["draft"]) {
  const { mutateAsync } = api.compose.saveDraft.useMutation();
  const [windowId] = useState(makeId);
  const [savedAt, setSavedAt] = useState(begun?.savedAt ?? null);
  const [apart, setApart] = useState("");
  const seen = useRef<{ id: string; version: number } | null>(begun);
  /** As this window knows it; a new one where it has stored nothing yet. */
  const kept = useCallback((): KeptDraft => {
    seen.current ??= { id: makeId(), version: 0 };
    const { id, version } = seen.current;
    return { id, version, windowId };
  }, [windowId]);
  const store = useCallback(
    async (content: MailDraft): Promise<void> => {
      const storeOnce = async () => {
        const before = kept();
        const after = await mutateAsync({ ...content, kept: before });
        seen.current = { id: before.id, version: after.version };
        setSavedAt(after.savedAt);
      };
      await storeOnce().catch((error: unknown) => {
        if (!isStale(error)) throw error;
        seen.current = null;
        setApart(`${messageOf(error)} ${APART}`);
        return storeOnce();
      });
    },
    [kept, mutateAsync],
  );
  return { kept, store, savedAt, apart };
}

/** One save at a time: the next one needs the version that this one makes. */
function useSaving(draft: MailDraft, begun: MailStart["draft"]) {
  const { kept, store, savedAt, apart } = useKeptDraft(begun);
  const [saveFailure, setSaveFailure] = useState("");
  const saved = useRef(draft);
  const isStopped = useRef(false);
  const latest = useRef<Promise<void>>(Promise.resolve());
  const send = useCallback(
    async (content: MailDraft) => {
      saved.current = content;
      try {
        await store(content);
        setSaveFailure("");
      } catch (error) {
        setSaveFailure(messageOf(error));
      }
    },
    [store],
  );
  const keep = useCallback(
    (content: MailDraft) => {
      latest.current = latest.current.then(() => send(content));
      return latest.current;
    },
    [send],
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
    /** Says that another window went on with the draft that was begun here. */
    apart,
    /** Whether something was written that is not kept yet. */
    isUnsaved: () => saved.current !== draft,
    /** It is sent or thrown away: nothing is kept of it any more. Tells which draft that is, once the last save is over. */
    stopSaving: async () => {
      isStopped.current = true;
      await latest.current;
      return kept();
    },
    /** It could not be sent or thrown away after all. */
    goOnSaving: () => {
      isStopped.current = false;
    },
    kept,
  };
}
