import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { askToLeave, isPageUnsaved } from "./unsaved.ts";

/** Asks once before anything unsaved is left by a link, by Back or by a reload, however many forms hold something. */
export function useLeaveQuestion(): void {
  const { history } = useRouter();
  useEffect(
    () =>
      history.block({
        blockerFn: ({ action }) => isPageUnsaved(action === "PUSH" || action === "REPLACE") && !askToLeave(),
        enableBeforeUnload: () => isPageUnsaved(),
      }),
    [history],
  );
}
