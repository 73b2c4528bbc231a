import { flushSync } from "react-dom";
import { takesFocus } from "../../ui/focus.ts";

/** What was pressed may be gone with what it changed: the keyboard goes on where the work does. */
export function focusAfter(
  place: HTMLElement | null,
  change: () => void,
  find: (place: HTMLElement) => Element | null | undefined,
): void {
  flushSync(change);
  if (place) takesFocus(find(place));
}
