import { EMPTY_RICH_TEXT, isEmptyRichText, type RichText } from "@app/shared/rich-text";
import { useState } from "react";
import { draftAt, keepDraft } from "./drafts.ts";

/** What is being written at one place of the page; it is still there when the person comes back to it. */
export function useDraft(place: string) {
  const [text, setText] = useState<RichText | null>(draftAt(place) ?? EMPTY_RICH_TEXT);
  const [version, setVersion] = useState(0);
  return {
    text,
    isTooLong: text === null,
    isEmpty: text !== null && isEmptyRichText(text),
    /** For the editor: another number means another text than the one that was typed. */
    version,
    initial: draftAt(place) ?? EMPTY_RICH_TEXT,
    change: (changed: RichText | null) => {
      setText(changed);
      keepDraft(place, changed);
    },
    replace: (other: RichText) => {
      setText(other);
      keepDraft(place, other);
      setVersion(version + 1);
    },
  };
}
