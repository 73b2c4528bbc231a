// Where the keyboard is while a dialog is open, and where it goes on afterwards.
import { type RefObject, useEffect, useLayoutEffect } from "react";
import { focused, focusHeading, focusOnceDrawn, isFocusLost, takesFocus } from "./focus.ts";

type Body = RefObject<HTMLDivElement | null>;

/** Where to go on once a dialog is closed: the first that can still take the focus. */
type Openers = readonly Element[];

/** The fields of a form; a file is chosen by the button that stands for it. */
const FIELDS = ["input:not([type=hidden], [type=file])", "select", "textarea", "[contenteditable=true]"];
const FIELD = FIELDS.map((field) => `${field}:not(:disabled)`).join();

/** By then what was closed is gone, and a button that waited for it can have the focus again. */
export const DRAWN_MS = 50;
const openersOf = new WeakMap<Element, Openers>();
let closing: Openers | null = null;

const dialogOf = (element: Element | null): Element | null => element?.closest('section[role="dialog"]') ?? null;

function openersNow(): Openers {
  // One dialog in the place of another goes back to where that one would.
  if (closing) {
    const before = closing;
    closing = null;
    return before;
  }
  const opener = focused();
  const menu = opener?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const button = menu ? document.getElementById(menu) : null;
  const around = dialogOf(opener)?.querySelector(".dialog-body") ?? null;
  const own = [opener, button, around].filter((element) => element !== null && element !== document.body);
  return [...own, ...(around ? (openersOf.get(around) ?? []) : [])].filter((element) => element !== null);
}

function giveBack(body: Element | null): void {
  const openers = closing ?? [];
  closing = null;
  const isInside = body !== null && dialogOf(body)?.contains(document.activeElement);
  // Whoever has the focus by now was meant to have it.
  if (!isFocusLost() && !isInside) return;
  if (!openers.some(takesFocus)) focusHeading();
}

/** Gives the focus back to what opened the dialog; where that is gone, to what is nearest to it. */
export function useOpener(isOpen: boolean, body: Body): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // What stands in the dialog is drawn after this: the focus is still where it was opened.
    const openers = openersNow();
    let element: Element | null = null;
    const timer = setTimeout(() => {
      element = body.current;
      if (element) openersOf.set(element, openers);
    });
    return () => {
      clearTimeout(timer);
      closing = openers;
      setTimeout(() => closing === openers && giveBack(element), DRAWN_MS);
    };
  }, [isOpen, body]);
}

/**
 * Begins at the first field, also where that is drawn later; where there is none, at the text. Where what held the focus
 * is taken away, such as one step for the next, the keyboard goes on in what came in its place.
 */
export function useFirstField(body: Body): void {
  useLayoutEffect(() => {
    const place = body.current;
    const dialog = dialogOf(place);
    if (!place || !dialog) return;
    // The library begins at what is marked so, and otherwise at the button that closes.
    const first = firstField(dialog);
    (first ?? place).setAttribute("data-autofocus", "");
    const timer = setTimeout(() => !first && focusOnceDrawn(place, () => firstField(dialog)));
    const drawn = new MutationObserver((changes) => {
      // What a dialog in front of this one gives back is on its way.
      if (closing || !isFocusLost() || focused()?.isConnected || layers.at(-1)?.body !== body) return;
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
      focusOnceDrawn(place, () => added.map(firstField).find((field) => field !== null) ?? null);
    });
    drawn.observe(place, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      drawn.disconnect();
    };
  }, [body]);
}

interface Layer {
  body: Body;
  close: () => void;
}

const layers: Layer[] = [];

/** Escape is for the dialog in front, and within it for an open list first. */
function closeInFront(event: KeyboardEvent): void {
  const layer = layers.at(-1);
  const { target } = event;
  if (!layer || event.key !== "Escape" || event.isComposing || !(target instanceof Element)) return;
  const isInside = target === document.body || target.closest('[role="dialog"]') === dialogOf(layer.body.current);
  if (isInside && target.getAttribute("data-mantine-stop-propagation") !== "true") layer.close();
}

export function useEscape(isOpen: boolean, body: Body, close: RefObject<() => void>): void {
  useEffect(() => {
    if (!isOpen) return;
    const layer = { body, close: () => close.current() };
    layers.push(layer);
    // The same function again is no second listener.
    window.addEventListener("keydown", closeInFront, { capture: true });
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [isOpen, body, close]);
}

/** The field where somebody begins: the one that is marked, or the first. */
function firstField(inside: Element): HTMLElement | null {
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
