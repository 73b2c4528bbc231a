// A sign-in that ended while something is typed: the page keeps it until the person has signed in again in another tab.
import { isPageUnsaved } from "../ui/unsaved.ts";
import { loseSignIn, sessionState } from "./session-state.ts";

/** Says it to the person. */
type Tell = () => void;

let tell: Tell | null = null;
/** What was known of the person when they were told; it is known anew once they have signed in again. */
let toldIn: object | null = null;

/** The layout that can say it. */
export function onLostSignIn(teller: Tell): () => void {
  tell = teller;
  return () => {
    if (tell === teller) tell = null;
  };
}

/**
 * Keeps the page as it is where something that is typed on it would be lost, and tells the person: once, and again for
 * each change that they try. False where there is nothing to keep.
 */
export function keepUnsaved(isChange = false): boolean {
  if (!tell || !isPageUnsaved()) return false;
  if (isChange || toldIn !== sessionState()) tell();
  toldIn = sessionState();
  return true;
}

export function noticeLostSignIn(isChange = false): void {
  if (!keepUnsaved(isChange)) loseSignIn();
}
