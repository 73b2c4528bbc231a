import { useRouterState } from "@tanstack/react-router";
import "./progress-line.css";

/** A thin line while a page is fetched; it shows only when that takes a moment. */
export function ProgressLine() {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  return isLoading ? <div className="progress-line" role="progressbar" aria-label="The page is loading" /> : null;
}
