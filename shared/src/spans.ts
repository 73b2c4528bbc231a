/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** The same time in as few stretches as say it, the earliest first: what overlaps is one. */
export const merged = (spans: readonly Span[]): Span[] => inFew(spans, (end, from) => from < end);

/** The same where also what follows without a gap is one. */
export const joined = (spans: readonly Span[]): Span[] => inFew(spans, (end, from) => from <= end);

function inFew(spans: readonly Span[], isOne: (end: number, from: number) => boolean): Span[] {
  const found: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && isOne(last.to, from)) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
