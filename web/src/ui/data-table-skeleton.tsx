import { Skeleton, Table } from "@mantine/core";

const ROWS = 20;
const WIDTHS = ["62%", "48%", "70%", "55%", "40%"];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const widthOf = (row: number, column: number) => WIDTHS[(row * 3 + column) % WIDTHS.length] ?? "50%";

function Rows({ columnCount }: { columnCount: number }) {
  return numbers(ROWS).map((row) => (
    <Table.Tr key={row} className="data-table-loading" aria-hidden>
      {numbers(columnCount).map((column) => (
        <Table.Td key={column}>
          <Skeleton h={8} w={widthOf(row, column)} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

function Phone() {
  return numbers(ROWS / 2).map((row) => (
    <li key={row} className="data-table-loading" aria-hidden>
      <Skeleton h={8} mt={10} w={widthOf(row, 0)} />
      <Skeleton h={8} mt={12} w={widthOf(row, 1)} />
    </li>
  ));
}

/** The same rows and columns without their words, after a moment, so that a quick answer does not flicker. */
export const DataTableSkeleton = { Rows, Phone };
