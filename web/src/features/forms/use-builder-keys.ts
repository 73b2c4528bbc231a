import { useEffect, useRef } from "react";
import type { Builder } from "./builder-context.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
const isInDialog = (): boolean => document.querySelector("[role=dialog]") !== null;

/** Ctrl or Cmd with Z undoes, with Shift or Y it redoes; "/" adds a question. */
export function useBuilderKeys({ saved, setIsAdding, isReadOnly }: Builder): void {
  const press = (event: KeyboardEvent) => {
    if (isInDialog() || isReadOnly) return;
    const key = event.key.toLowerCase();
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isCommand && (key === "z" || key === "y")) {
      event.preventDefault();
      if (key === "y" || event.shiftKey) saved.redo();
      else saved.undo();
    }
    if (key === "/" && !isCommand && !isTyping(event.target)) {
      event.preventDefault();
      setIsAdding(true);
    }
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
