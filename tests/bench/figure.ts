export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal: "<=" | ">=";
  limit: number;
}

export const isReached = ({ value, goal, limit }: Figure): boolean => (goal === "<=" ? value <= limit : value >= limit);

/** The middle value: of an even number of values the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** What this part of the values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
