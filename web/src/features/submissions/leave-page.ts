// Leaving at once, with as little trace as a page can: what was on it is gone before the other site comes.
import { NEUTRAL_SITE } from "@app/shared/submission-limits";
import { useEffect } from "react";

const ESCAPES = 3;
const WITHIN_MS = 1500;
let hasLeft = false;

/** In the place of this page in the history, so that Back does not lead here. */
export function leavePage(): void {
  hasLeft = true;
  window.sessionStorage.clear();
  document.title = "Weather";
  const root = document.getElementById("root");
  if (root) root.hidden = true;
  leaveWhole();
}

/** Where a website shows the form within a page of its own, that page goes too. */
function leaveWhole(): void {
  try {
    (window.top ?? window).location.replace(NEUTRAL_SITE);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    window.location.replace(NEUTRAL_SITE);
  }
}

// A browser that kept the page for its Back button shows it again as it was.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && hasLeft) window.location.replace(NEUTRAL_SITE);
});

/** Escape pressed three times, one soon after the other, leaves too. */
export function useTripleEscape(onLeave: () => void): void {
  useEffect(() => {
    let presses: number[] = [];
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (key !== "Escape") return void (presses = []);
      presses = [...presses, timeStamp].filter((at) => timeStamp - at < WITHIN_MS);
      if (presses.length >= ESCAPES) onLeave();
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [onLeave]);
}
