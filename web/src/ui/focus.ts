/** The fields of a form; a file is chosen by the button that stands for it. */
const FIELDS = ["input:not([type=hidden], [type=file])", "select", "textarea", "[contenteditable=true]"];
const FIELD = FIELDS.map((field) => `${field}:not(:disabled)`).join();

let last: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof Element) last = target;
});

/** Where the keyboard is; where it was, if that can no longer hold it, such as a button that waits. */
export const focused = (): Element | null => (isFocusLost() ? last : document.activeElement);

export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Whether it took the focus. */
export function takesFocus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** The field where somebody begins: the one that is marked, or the first. */
export function firstField(inside: Element): HTMLElement | null {
  const marked = inside.querySelector<HTMLElement>("[data-autofocus]:not(.dialog-body)");
  if (marked) return marked;
  const fields = [...inside.querySelectorAll<HTMLElement>(FIELD)].filter((field) => !field.closest("[hidden]"));
  const [first] = fields;
  // Of radio buttons that belong together the keyboard reaches the chosen one only.
  const isChosen = (field: Element) =>
    field instanceof HTMLInputElement &&
    first instanceof HTMLInputElement &&
    field.name === first.name &&
    field.checked;
  return (first?.matches("[type=radio]") ? fields.find(isChosen) : undefined) ?? first ?? null;
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
