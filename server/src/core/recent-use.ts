// How long somebody was at work lately: what they used counts half after a minute, a quarter after two.
const HALF_MS = 60_000;
/** So little that nobody need remember it. */
const FORGOTTEN_MS = 1;

/** In milliseconds, of each. */
export function recentUse() {
  // Whoever used something last stands last.
  const known = new Map<string, { ms: number; at: number }>();
  function of(who: string): number {
    const used = known.get(who);
    return used ? used.ms * 0.5 ** ((performance.now() - used.at) / HALF_MS) : 0;
  }
  return {
    of,
    add(who: string, ms: number): void {
      const used = { ms: of(who) + ms, at: performance.now() };
      known.delete(who);
      known.set(who, used);
      for (const each of known.keys()) {
        if (of(each) > FORGOTTEN_MS) break;
        known.delete(each);
      }
    },
  };
}
