import { Checkbox, Table } from "@mantine/core";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { DataTableHead } from "./data-table-head.tsx";
import { DataTableSkeleton } from "./data-table-skeleton.tsx";
import { ErrorState } from "./error-state.tsx";
import { useIsPhone } from "./use-is-phone.ts";
import "./data-table.css";

export interface Column<Row, Sort extends string = string> {
  key: string;
  header: string;
  /** The first column holds a link to the row; it is what the arrow keys move between. */
  cell: (row: Row) => ReactNode;
  /** Pixels; leave it out of one column, which then takes the rest. */
  width?: number;
  align?: "right";
  /** Money, dates, times, counts and phone numbers; never references. */
  isTabular?: boolean;
  /** The name by which the server sorts this column. */
  sort?: Sort;
}

export interface TableSort<Sort extends string> {
  by: Sort;
  isDescending: boolean;
  onChange: (by: Sort, isDescending: boolean) => void;
}

export interface TableSelection {
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
}

export interface TableFailure {
  message: string;
  reference?: string | undefined;
  onRetry: () => void;
}

export interface DataTableProps<Row, Sort extends string = string> {
  /** What the table lists, for screen readers: "Clients". */
  label: string;
  columns: readonly Column<Row, Sort>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** What a row is called, for its check box. */
  rowName: (row: Row) => string;
  onOpen?: (row: Row) => void;
  sort?: TableSort<Sort>;
  selection?: TableSelection;
  failure?: TableFailure | undefined;
  /** Shown where there is no row. */
  empty: ReactNode;
  /** Two lines on a phone, in place of the columns; holds the link to the row. */
  phoneRow: (row: Row) => ReactNode;
}

/** A list as a table: sorted, selected and opened with mouse or keyboard; two-line rows on a phone. */
export function DataTable<Row, Sort extends string = string>(props: DataTableProps<Row, Sort>) {
  const { label, columns, rows, rowKey, rowName, onOpen, selection, failure, empty, phoneRow } = props;
  const isPhone = useIsPhone();
  if (failure) return <ErrorState title="The list could not be read" {...failure} />;
  if (rows?.length === 0) return empty;

  const openRow = (row: Row) => (event: MouseEvent<HTMLElement>) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a, button, input, label");
    if (!isOnControl) onOpen?.(row);
  };
  const toggle = (row: Row) => selection?.onChange(toggled(selection.keys, rowKey(row)));

  if (isPhone) {
    return (
      <ul className="data-table-phone" aria-label={label} aria-busy={!rows} onKeyDown={moveBetweenRows}>
        {rows?.map((row) => (
          <li key={rowKey(row)} data-row onClick={openRow(row)}>
            {phoneRow(row)}
          </li>
        ))}
        {!rows && <DataTableSkeleton.Phone />}
      </ul>
    );
  }
  return (
    <Table layout="fixed" className="data-table" aria-label={label} aria-busy={!rows} stickyHeader>
      <DataTableHead {...props} />
      <Table.Tbody onKeyDown={moveBetweenRows}>
        {rows?.map((row) => (
          <Table.Tr
            key={rowKey(row)}
            data-row
            data-selected={selection?.keys.has(rowKey(row)) || undefined}
            data-opens={onOpen ? true : undefined}
            onClick={openRow(row)}
          >
            {selection && (
              <Table.Td className="data-table-check">
                <Checkbox
                  aria-label={`Select ${rowName(row)}`}
                  checked={selection.keys.has(rowKey(row))}
                  onChange={() => toggle(row)}
                />
              </Table.Td>
            )}
            {columns.map(({ key, cell, align, isTabular }) => (
              <Table.Td key={key} data-align={align} className={isTabular ? "tabular" : ""}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
        {!rows && <DataTableSkeleton.Rows columnCount={columns.length + (selection ? 1 : 0)} />}
      </Table.Tbody>
    </Table>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Up and down go to the same control of the row above or below; Enter on its link opens it. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const row = event.target instanceof Element ? event.target.closest("[data-row]") : null;
  const next = event.key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  const control = event.target instanceof HTMLInputElement ? "input" : "a, button";
  const target = next?.querySelector<HTMLElement>(control);
  if (!target) return;
  event.preventDefault();
  target.focus();
}
