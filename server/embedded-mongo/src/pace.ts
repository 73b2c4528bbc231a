// A long read is worked on in slices, and others are heard between two of them.

/** What a read gives in place of a row where others are to be heard before it goes on. */
export const PAUSE = Symbol("pause");
export type Pause = typeof PAUSE;

/** Says when a slice is over; a read without one is never paused. */
export type Pace = { begin(): void; isOver(): boolean };
export type Turns = ReturnType<typeof createTurns>;

const SLICE_MS = 5;
/** The clock is not looked at for each row. */
const LOOK_EVERY = 4;

/** One slice in each turn of the event loop, however many reads are long: whoever comes waits for one at the most. */
export function createTurns() {
  const waiting: (() => void)[] = [];
  const beginNext = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(beginNext);
  };
  return {
    newPace(): Pace {
      let until = 0;
      let asked = 0;
      return {
        begin: () => void (until = performance.now() + SLICE_MS),
        isOver: () => (asked += 1) % LOOK_EVERY === 0 && performance.now() > until,
      };
    },
    /** How many reads are under way, but for one that has its slice. */
    waiting: (): number => waiting.length,
    /** Resolves when everybody who waited before has had a slice. */
    next(): Promise<void> {
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(beginNext);
      });
    },
  };
}

/** For whoever has to read in one go. */
export function* withoutPauses<T>(items: Iterable<T | Pause>): Generator<T> {
  for (const item of items) if (item !== PAUSE) yield item;
}

/** All of them, with the pauses. */
export function* collected<T>(items: Iterable<T | Pause>): Generator<Pause, T[]> {
  const found: T[] = [];
  for (const item of items) {
    if (item === PAUSE) yield PAUSE;
    else found.push(item);
  }
  return found;
}
