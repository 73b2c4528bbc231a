// What goes on for long goes on only as long as whoever asked for it may have it.

// A backstop: what takes a right away is told, within a fraction of a second.
const RECHECK_MS = 60_000;

interface Watch {
  /** Whether it may still go on, as things stand now. */
  mayGoOn: () => Promise<boolean>;
  /** Calls back whenever that may have changed. */
  onChange: (listener: () => void) => () => void;
}

/** Hands on what comes until it may not any more, and from then on nothing: each piece is asked for before it leaves. */
export async function* whileAllowed<Item>(
  source: AsyncIterable<Item>,
  { mayGoOn, onChange }: Watch,
): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const bell = createBell();
  const stop = onChange(bell.ring);
  const timer = setInterval(bell.ring, RECHECK_MS);
  try {
    let next = items.next();
    for (;;) {
      const come = await Promise.race([next, bell.rung()]);
      if (come?.done || !(await mayGoOn())) return;
      if (!come) continue;
      yield come.value;
      next = items.next();
    }
  } finally {
    clearInterval(timer);
    stop();
    // It may wait for something that comes much later; whoever listens does not.
    void items.return?.(undefined);
  }
}

/** Lets a loop sleep until somebody rings; a ring while it was awake is not lost. */
export function createBell() {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    async rung(): Promise<null> {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
      isRung = false;
      return null;
    },
  };
}
