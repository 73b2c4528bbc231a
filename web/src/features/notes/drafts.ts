// Texts that were begun and not saved, by where they were begun. In memory only, and gone with the sign-in.
import { isEmptyRichText, type RichText } from "@app/shared/rich-text";
import { onSessionChange, sessionState } from "../../core/session-state.ts";

const drafts = new Map<string, RichText>();

export const draftAt = (place: string): RichText | undefined => drafts.get(place);

export function keepDraft(place: string, text: RichText | null): void {
  if (text && !isEmptyRichText(text)) drafts.set(place, text);
  else drafts.delete(place);
}

onSessionChange(() => {
  if (!sessionState().status?.user) drafts.clear();
});
window.addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});
