import { type ShouldBlockFn, useBlocker } from "@tanstack/react-router";
import { askToLeave, isPageUnsaved } from "./unsaved.ts";

const shouldBlockFn: ShouldBlockFn = ({ action }) =>
  isPageUnsaved(action === "PUSH" || action === "REPLACE") && !askToLeave();
const enableBeforeUnload = () => isPageUnsaved();

/** Asks once before anything unsaved is left by a link, by Back or by a reload, however many forms hold something. */
export function LeaveQuestion(): null {
  useBlocker({ shouldBlockFn, enableBeforeUnload });
  return null;
}
