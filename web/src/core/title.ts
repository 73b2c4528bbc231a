import { PRODUCT_NAME } from "@app/shared/product";
import { useLayoutEffect, useSyncExternalStore } from "react";

let current = "";
const listeners = new Set<() => void>();

function setTitle(title: string): void {
  current = title;
  document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  for (const listener of listeners) listener();
}

/** Names the page: in the browser's tab, and in the top bar of a phone. */
export function useTitle(title: string): void {
  useLayoutEffect(() => setTitle(title), [title]);
}

/** Of a page for whoever is not signed in: it stands in the history of a phone that others may look at, and tells them nothing. */
export function useNeutralTitle(title: string): void {
  useLayoutEffect(() => void (document.title = title), [title]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useCurrentTitle = (): string => useSyncExternalStore(subscribe, () => current);
