// What flows down the pages: slices that are placed one below the other, kept together or split where a page ends.

export interface Place {
  left: number;
  top: number;
}

export interface Slice {
  /** Kept free above it, but for the top of a page. */
  gap: number;
  height: number;
  /** Never the last thing on a page. */
  isKeptWithNext: boolean;
  draw: (at: Place) => void;
  /** What of it fits so much room, and the rest; null where nothing worth it does. */
  split?: (room: number) => [Slice, Slice] | null;
  /** Comes again on top of each page on which this stands. */
  head?: readonly Slice[];
  /** Begins a page. */
  isOnNewPage?: boolean;
}

export interface Pages {
  left: number;
  top: number;
  bottom: number;
  next: () => void;
}

/** Nothing but room. */
export const spaceOf = (height: number): Slice => ({ gap: height, height: 0, isKeptWithNext: false, draw: () => {} });

/** The same further to the right, with something drawn beside it. */
export const indented = (
  slice: Slice,
  by: number,
  beside?: (at: Place, height: number, gap: number) => void,
): Slice => ({
  ...slice,
  draw(at) {
    beside?.(at, slice.height, slice.gap);
    slice.draw({ ...at, left: at.left + by });
  },
  ...(slice.split && {
    split(room: number) {
      const parts = slice.split?.(room);
      return parts ? [indented(parts[0], by, beside), indented(parts[1], by, beside)] : null;
    },
  }),
});

const needed = (slices: readonly Slice[]): number => slices.reduce((sum, { gap, height }) => sum + gap + height, 0);

/** Places them; what is higher than a page and cannot be split is drawn on a page of its own. */
export function flowDown(pages: Pages, given: readonly Slice[]): void {
  // The next one last: what is left of a split slice goes back on top.
  const waiting = given.toReversed();
  let top = pages.top;
  let isAtTop = true;

  const place = (slice: Slice) => {
    if (!isAtTop) top += slice.gap;
    slice.draw({ left: pages.left, top });
    top += slice.height;
    if (slice.height > 0) isAtTop = false;
  };
  const turn = (next: Slice) => {
    pages.next();
    top = pages.top;
    isAtTop = true;
    for (const head of next.head ?? []) place(head);
    // A head is no content: what does not fit below it fits nowhere better.
    isAtTop = true;
  };

  for (let slice = waiting.pop(); slice; slice = waiting.pop()) {
    if (slice.isOnNewPage && !isAtTop) turn(slice);
    const group = groupFrom(slice, waiting);
    const room = pages.bottom - top - (isAtTop ? 0 : slice.gap);
    const height = needed(group) - slice.gap;
    if (height <= room) {
      place(slice);
      continue;
    }
    const parts = group.length === 1 || isAtTop ? slice.split?.(room) : null;
    if (parts) {
      place(parts[0]);
      waiting.push(parts[1]);
      turn(parts[1]);
      continue;
    }
    const isTooHighAnyway = height > pages.bottom - pages.top;
    if (!isAtTop && (!isTooHighAnyway || slice.height > room)) turn(slice);
    place(slice);
  }
}

/** How much of what may be split has to fit below what is kept with it. */
const LEAST_SPLIT = 40;

/** With all that it must not be parted from. */
function groupFrom(first: Slice, waiting: readonly Slice[]): Slice[] {
  const group = [first];
  for (let at = waiting.length - 1; group.at(-1)?.isKeptWithNext && at >= 0; at -= 1) {
    const next = waiting[at];
    if (next) group.push(next.split ? { ...next, height: Math.min(next.height, LEAST_SPLIT) } : next);
  }
  return group;
}
