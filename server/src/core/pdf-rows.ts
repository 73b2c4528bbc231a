// Things side by side: the rows of a table, and a label beside what it says. A row that does not fit a page is split.
import type { Place, Slice } from "./pdf-flow.ts";

export interface RowCell {
  slices: readonly Slice[];
  /** From the left of the row. */
  left: number;
  width: number;
  padding: number;
  /** Where it stands in the rows that it spans. */
  top?: number;
  height?: number;
  isShaded?: boolean;
}

export interface Row {
  cells: readonly RowCell[];
  gap: number;
  isKeptWithNext?: boolean;
  head?: readonly Slice[];
  /** Behind the words. */
  decorate?: (at: Place, cell: RowCell, height: number) => void;
  /** Its rows are one because a cell spans them. */
  isWhole?: boolean;
}

/** How high these are, one below the other. */
export const heightOf = (slices: readonly Slice[]): number =>
  slices.reduce((sum, { gap, height }, index) => sum + (index === 0 ? 0 : gap) + height, 0);

export const cellHeight = ({ slices, padding }: Pick<RowCell, "slices" | "padding">): number =>
  heightOf(slices) + 2 * padding;

/** How much room it takes at the least to begin a row at the end of a page. */
const ROW_BEGINS_IN = 60;

export function rowSlice(row: Row, height = Math.max(0, ...row.cells.map(cellHeight))): Slice {
  const { cells, gap, isKeptWithNext = false, head, decorate, isWhole = false } = row;
  return {
    gap,
    height,
    isKeptWithNext,
    ...(head && { head }),
    draw({ left, top }) {
      for (const cell of cells) {
        const at = { left: left + cell.left, top: top + (cell.top ?? 0) };
        decorate?.(at, cell, cell.height ?? height);
        drawDown(cell.slices, { left: at.left + cell.padding, top: at.top + cell.padding });
      }
    },
    ...(!isWhole && { split: (room: number) => splitRow(row, room) }),
  };
}

function drawDown(slices: readonly Slice[], { left, top }: Place): void {
  let at = top;
  for (const [index, slice] of slices.entries()) {
    if (index > 0) at += slice.gap;
    slice.draw({ left, top: at });
    at += slice.height;
  }
}

/** What fits of each cell, and the rest; null where too little would be left on either page. */
function splitRow(row: Row, room: number): [Slice, Slice] | null {
  if (room < ROW_BEGINS_IN) return null;
  const parts = row.cells.map((cell) => {
    const count = fitting(cell, room);
    return [
      { ...cell, slices: cell.slices.slice(0, count) },
      { ...cell, slices: cell.slices.slice(count) },
    ] as const;
  });
  if (parts.every(([first]) => first.slices.length === 0)) return null;
  return [
    rowSlice({ ...row, cells: parts.map(([first]) => first), isKeptWithNext: false }),
    rowSlice({ ...row, cells: parts.map(([, rest]) => rest), gap: 0 }),
  ];
}

/** How many of its slices fit, so that none ends a page that is kept with the next one. */
function fitting({ slices, padding }: RowCell, room: number): number {
  let count = 0;
  let used = 2 * padding;
  for (const [index, { gap, height }] of slices.entries()) {
    used += (index === 0 ? 0 : gap) + height;
    if (used > room) break;
    count = index + 1;
  }
  if (count === slices.length) return count;
  let kept = count;
  while (kept > 0 && slices[kept - 1]?.isKeptWithNext) kept -= 1;
  // All of it is kept together: better parted than never drawn.
  return kept > 0 ? kept : count;
}
