// Where the cells of a table stand: in columns, some over several, and in rows of which some are one.
import type { TableBlock, TableCell } from "@app/shared/document-content";
import type { Slice } from "./pdf-flow.ts";
import { cellHeight, type Row, type RowCell, rowSlice } from "./pdf-rows.ts";

const PADDING = 4;
const RULE = [205, 212, 211] as const;

interface Placed {
  cell: TableCell;
  row: number;
  column: number;
  columns: number;
  rows: number;
}

interface Laid extends Placed {
  slices: readonly Slice[];
}

export interface TableDrawing {
  width: number;
  gap: number;
  /** Rows that are one must fit this; else each is placed by itself. */
  highest: number;
  slicesOf: (cell: TableCell, width: number) => Slice[];
  fill: (left: number, top: number, width: number, height: number) => void;
  rule: (left: number, top: number, width: number, color: typeof RULE) => void;
}

/** The rows, of which those at its top that are headings come again on each page. */
export function tableSlices(table: TableBlock, drawing: TableDrawing): Slice[] {
  const placed = placedCells(table);
  const columns = Math.max(1, ...placed.map(({ column, columns: across }) => column + across));
  const lefts = columnLefts(placed, columns, drawing.width);
  const across = ({ column, columns: count }: Placed) => (lefts[column + count] ?? 0) - (lefts[column] ?? 0);
  const laid = placed.map((one) => ({ ...one, slices: drawing.slicesOf(one.cell, across(one) - 2 * PADDING) }));
  const cellOf = (one: Laid): RowCell => ({
    slices: one.slices,
    left: lefts[one.column] ?? 0,
    width: across(one),
    padding: PADDING,
    isShaded: one.cell.type === "tableHeader",
  });
  const isTooHigh = (band: readonly Laid[]) => stacked(band, cellOf).height > drawing.highest;
  const bands = bandsOf(laid, table.content.length).flatMap((band) => (isTooHigh(band) ? rowByRow(band) : [band]));
  const sliceOf = (band: readonly Laid[], head: readonly Slice[] | null): Slice => {
    const { cells, height, isWhole } = stacked(band, cellOf);
    const row: Row = {
      cells,
      gap: 0,
      isWhole,
      ...(head ? { head } : { isKeptWithNext: true }),
      decorate({ left, top }, cell, high) {
        if (cell.isShaded) drawing.fill(left, top, cell.width, high);
        drawing.rule(left, top + high, cell.width, RULE);
      },
    };
    return rowSlice(row, height);
  };
  const headCount = headBands(bands);
  const head = bands.slice(0, headCount).map((band) => sliceOf(band, null));
  const body = bands.slice(headCount).map((band) => sliceOf(band, head));
  // A table of headings alone has nothing that they could be kept with.
  const last = head.at(-1);
  const all =
    body.length === 0 && last ? [...head.slice(0, -1), { ...last, isKeptWithNext: false }] : [...head, ...body];
  return all.map((slice, index) => (index === 0 ? { ...slice, gap: drawing.gap } : slice));
}

/** Those at the top of which every cell is a heading; more than a few would leave no room for what they head. */
function headBands(bands: readonly Laid[][]): number {
  const first = bands.findIndex((band) => band.some(({ cell }) => cell.type !== "tableHeader"));
  const count = first === -1 ? bands.length : first;
  return count > 3 ? 0 : count;
}

/** Each cell in the first free place of its row. */
function placedCells({ content: rows }: TableBlock): Placed[] {
  /** Of each column the row from which on no cell spans it. */
  const freeFrom: number[] = [];
  const placed: Placed[] = [];
  for (const [row, { content }] of rows.entries()) {
    let column = 0;
    for (const cell of content) {
      while ((freeFrom[column] ?? 0) > row) column += 1;
      const count = Math.min(cell.attrs.rowspan, rows.length - row);
      const columns = cell.attrs.colspan;
      placed.push({ cell, row, column, columns, rows: count });
      for (let end = column + columns; column < end; column += 1) freeFrom[column] = row + count;
    }
  }
  return placed;
}

/** As wide as somebody drew them, in proportion; the others share what is left. */
function columnLefts(placed: readonly Placed[], count: number, width: number): number[] {
  const drawn: (number | null)[] = Array.from({ length: count }, () => null);
  for (const { cell, column, columns } of placed)
    for (let index = 0; index < columns; index += 1) drawn[column + index] ??= cell.attrs.colwidth?.[index] ?? null;
  const known = drawn.filter((one) => one !== null);
  const usual = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : 1;
  const widths = drawn.map((one) => one ?? usual);
  const total = widths.reduce((sum, one) => sum + one, 0);
  let at = 0;
  return [0, ...widths.map((one) => (at += (one / total) * width))];
}

/** Rows that a cell spans stay together. */
function bandsOf(laid: readonly Laid[], rows: number): Laid[][] {
  const bands: Laid[][] = [];
  let ends = 0;
  for (let row = 0; row < rows; row += 1) {
    const own = laid.filter((one) => one.row === row);
    if (row >= ends) bands.push([]);
    bands.at(-1)?.push(...own);
    ends = Math.max(ends, row + 1, ...own.map((one) => row + one.rows));
  }
  return bands.filter((band) => band.length > 0);
}

const rowByRow = (band: readonly Laid[]): Laid[][] => [
  ...Map.groupBy(
    band.map((one) => ({ ...one, rows: 1 })),
    ({ row }) => row,
  ).values(),
];

/** The rows of a band one below the other; what spans them makes the last one higher where it has to. */
function stacked(band: readonly Laid[], cellOf: (one: Laid) => RowCell) {
  const first = band[0]?.row ?? 0;
  const last = Math.max(...band.map(({ row, rows }) => row + rows));
  const heights = Array.from({ length: last - first }, () => 0);
  const heightUpTo = (index: number) => heights.slice(0, index).reduce((sum, one) => sum + one, 0);
  for (const one of band.toSorted((left, right) => left.rows - right.rows)) {
    const from = one.row - first;
    const has = heightUpTo(from + one.rows) - heightUpTo(from);
    const more = cellHeight(cellOf(one)) - has;
    if (more > 0) heights[from + one.rows - 1] = (heights[from + one.rows - 1] ?? 0) + more;
  }
  const isWhole = heights.length > 1;
  const cells = band.map((one) => {
    const from = one.row - first;
    const height = heightUpTo(from + one.rows) - heightUpTo(from);
    return { ...cellOf(one), ...(isWhole && { top: heightUpTo(from), height }) };
  });
  return { cells, height: heightUpTo(heights.length), isWhole };
}
