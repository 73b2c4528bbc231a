import { useEffect, useRef } from "react";

/** The server takes nothing that comes sooner after the page was loaded. */
const SOONEST_MS = 3300;

/** Whoever presses early waits that long, and nothing is refused. */
export const untilTaken = (loadedAt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, loadedAt + SOONEST_MS - performance.now()));

/** The wait of a page that goes on with another token after each thing that it sent. */
export function useSoonest(formToken: string): () => Promise<void> {
  const loadedAt = useRef(0);
  useEffect(() => {
    loadedAt.current = performance.now();
  }, [formToken]);
  return () => untilTaken(loadedAt.current);
}
