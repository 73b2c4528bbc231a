import { EMPTY_RICH_TEXT, isEmptyRichText, type RichText } from "@app/shared/rich-text";
import { useEffect, useState } from "react";
import { draftAt, setDraft } from "./drafts.ts";
import { type Draft, useKept } from "./kept-store.ts";

type Choice = NonNullable<Draft["choice"]>;

/** What is being written at one place of the page; it is still there when the person comes back to it. */
export function useDraft(place: string, { kind, visibility, miam = null }: Choice) {
  const [text, setText] = useState<RichText | null>(draftAt(place)?.text ?? EMPTY_RICH_TEXT);
  const [version, setVersion] = useState(0);
  const isOnDevice = useKept().has(place);
  const keep = (changed: RichText | null) =>
    setDraft(place, changed && { text: changed, choice: { kind, visibility, miam } });

  // Whose words they are is kept with them.
  useEffect(() => {
    const draft = draftAt(place);
    if (draft) setDraft(place, { ...draft, choice: { kind, visibility, miam } });
  }, [place, kind, visibility, miam]);

  return {
    text,
    isTooLong: text === null,
    isEmpty: text !== null && isEmptyRichText(text),
    isOnDevice,
    /** For the editor: another number means another text than the one that was typed. */
    version,
    initial: draftAt(place)?.text ?? EMPTY_RICH_TEXT,
    change: (changed: RichText | null) => {
      setText(changed);
      keep(changed);
    },
    replace: (other: RichText) => {
      setText(other);
      keep(other);
      setVersion(version + 1);
    },
  };
}
