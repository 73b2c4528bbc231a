let last: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof Element) last = target;
});

export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Where the keyboard is; where it was, if that can no longer hold it, such as a button that waits. */
export const focused = (): Element | null => (isFocusLost() ? last : document.activeElement);

/** Whether it took the focus. */
export function takesFocus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Puts the focus on what `find` gives: now, or as soon as it is drawn, unless somebody has gone elsewhere by then. */
export function focusOnceDrawn(place: HTMLElement, find: () => HTMLElement | null): void {
  if (takesFocus(find()) || !takesFocus(place)) return;
  const drawn = new MutationObserver(() => {
    if (find()) takesFocus(find());
  });
  drawn.observe(place, { childList: true, subtree: true });
  place.addEventListener("focusout", () => drawn.disconnect(), { once: true });
}

/** The heading says where somebody is now. */
export function focusHeading(): void {
  const main = document.querySelector("main");
  if (!main) return;
  main.tabIndex = -1;
  focusOnceDrawn(main, () => {
    const heading = main.querySelector("h1");
    if (heading) heading.tabIndex = -1;
    return heading;
  });
}
