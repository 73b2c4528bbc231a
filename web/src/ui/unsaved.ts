// What is typed and not stored yet, wherever it stands: nobody leaves it behind unasked.
import { createContext, useContext, useEffect, useRef } from "react";

/** Whether something would be lost here. `isGoingOn`: the page goes on by itself, as it does once something is stored. */
export type Unsaved = (isGoingOn: boolean) => boolean;

const QUESTION = "Leave without saving? What you typed here would be lost.";
const page = new Set<Unsaved>();

/** Where forms say that they hold something: the page, or the dialog around them. */
export const UnsavedScope = createContext<Set<Unsaved>>(page);

export const isAnyUnsaved = (scope: ReadonlySet<Unsaved>, isGoingOn: boolean): boolean =>
  [...scope].some((isUnsaved) => isUnsaved(isGoingOn));

export const isPageUnsaved = (isGoingOn = false): boolean => isAnyUnsaved(page, isGoingOn);

export const askToLeave = (): boolean => window.confirm(QUESTION);

/** Whoever closes, reloads or leaves what is around this is asked first, for as long as it says so. */
export function useUnsaved(isUnsaved: Unsaved): void {
  const scope = useContext(UnsavedScope);
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  useEffect(() => {
    const ask: Unsaved = (isGoingOn) => latest.current(isGoingOn);
    scope.add(ask);
    return () => void scope.delete(ask);
  }, [scope]);
}
