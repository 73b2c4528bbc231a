import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { Column, DataTableProps, TableSort } from "./data-table.tsx";

export function DataTableHead<Row, Sort extends string>(props: DataTableProps<Row, Sort>) {
  const { columns, rows, rowKey, sort, selection } = props;
  const keys = rows?.map(rowKey) ?? [];
  const chosen = keys.filter((key) => selection?.keys.has(key)).length;
  const toggleAll = () => selection?.onChange(new Set(chosen === keys.length ? [] : keys));
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th className="data-table-check">
            <Checkbox
              aria-label="Select all on this page"
              checked={keys.length > 0 && chosen === keys.length}
              indeterminate={chosen > 0 && chosen < keys.length}
              disabled={keys.length === 0}
              onChange={toggleAll}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} />
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface HeadCellProps<Row, Sort extends string> {
  column: Column<Row, Sort>;
  sort: TableSort<Sort> | undefined;
}

function HeadCell<Row, Sort extends string>({ column, sort }: HeadCellProps<Row, Sort>) {
  const { header, width, align } = column;
  const style = width === undefined ? {} : { width };
  const sortName = column.sort;
  if (!sort || sortName === undefined) {
    return (
      <Table.Th style={style} data-align={align}>
        {header}
      </Table.Th>
    );
  }
  const isSorted = sort.by === sortName;
  const direction = sort.isDescending ? "descending" : "ascending";
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th style={style} data-align={align} aria-sort={isSorted ? direction : "none"}>
      <UnstyledButton
        className="data-table-sort"
        data-sorted={isSorted || undefined}
        onClick={() => sort.onChange(sortName, isSorted && !sort.isDescending)}
      >
        {header}
        {isSorted && <Arrow size={12} stroke={2} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}
