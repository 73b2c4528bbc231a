/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** The same time in as few stretches as say it, the earliest first: what overlaps is one. */
export function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
