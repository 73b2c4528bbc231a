// Whose turn it is: whoever had one last stands last. Kept in this process only: after a restart all stand alike.
const KEPT_MAX = 10_000;

let count = 0;
/** The latest stands last. */
const lastTurns = new Map<string, number>();

export function hadTurn(...keys: string[]): void {
  count += 1;
  for (const key of keys) {
    lastTurns.delete(key);
    lastTurns.set(key, count);
  }
  for (const key of lastTurns.keys()) {
    if (lastTurns.size <= KEPT_MAX) break;
    lastTurns.delete(key);
  }
}

/** These, with whoever had no turn for longest first. */
export const byTurn = <One>(all: Iterable<One>, keyOf: (one: One) => string): One[] =>
  [...all].toSorted((a, b) => (lastTurns.get(keyOf(a)) ?? 0) - (lastTurns.get(keyOf(b)) ?? 0));
