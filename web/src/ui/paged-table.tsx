import { PAGE_SIZE } from "@app/shared/product";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { Pager } from "./pager.tsx";

interface Props<Row, Sort extends string> extends Omit<DataTableProps<Row, Sort>, "rows"> {
  /** One page of rows; undefined while it loads. */
  list: { items: readonly Row[]; total: number; isTotalExact: boolean } | undefined;
  page: number;
  /** One and many: ["client", "clients"]. */
  words: readonly [string, string];
  onPage: (page: number) => void;
}

/** A table with the pages that the server made of its list. */
export function PagedTable<Row, Sort extends string>({ list, page, words, onPage, ...table }: Props<Row, Sort>) {
  return (
    <>
      <DataTable {...table} rows={list?.items} />
      {list && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={list.total}
          isTotalExact={list.isTotalExact}
          words={words}
          onPage={onPage}
        />
      )}
    </>
  );
}
