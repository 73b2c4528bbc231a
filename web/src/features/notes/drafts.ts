// Texts that were begun and not saved, by where they were begun: in memory, and on this device until the sign-out.
import { isEmptyRichText } from "@app/shared/rich-text";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { type Draft, isWriting, keepDraft, keptNow } from "./kept-store.ts";

const drafts = new Map<string, Draft>();

export const draftAt = (place: string): Draft | undefined => drafts.get(place);

export function setDraft(place: string, draft: Draft | null): void {
  if (draft && (draft.edit || !isEmptyRichText(draft.text))) {
    drafts.set(place, draft);
    void keepDraft(place, draft);
  } else if (drafts.delete(place)) void keepDraft(place, null);
}

/** Takes over what was kept, but for places where something newer was written meanwhile. */
export function restoreDraft(place: string, draft: Draft): void {
  if (!drafts.has(place)) drafts.set(place, draft);
}

onSessionChange(() => {
  if (!sessionState().status?.user) drafts.clear();
});
window.addEventListener("beforeunload", (event) => {
  if (isWriting() || [...drafts.keys()].some((place) => !keptNow().has(place))) event.preventDefault();
});
