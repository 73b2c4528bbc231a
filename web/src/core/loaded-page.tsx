import { PAGE_SIZE } from "@app/shared/product";
import type { ReactNode } from "react";
import { Pager } from "../ui/pager.tsx";
import { Loaded } from "./loaded.tsx";

interface Page<Row> {
  items: readonly Row[];
  total: number;
  isTotalExact: boolean;
}

interface Props<Row> {
  query: { data: Page<Row> | undefined; error: unknown; refetch: () => unknown };
  /** Where it failed: "The files could not be read". */
  failureTitle: string;
  /** Stands in the place of the rows where there are none. */
  empty: ReactNode;
  page: number;
  /** One and many: ["file", "files"]. */
  words: readonly [string, string];
  onPage: (page: number) => void;
  children: (items: readonly Row[]) => ReactNode;
}

/** One page of a list inside a page or a dialog, and the way to its other pages. */
export function LoadedPage<Row>({ query, failureTitle, empty, page, words, onPage, children }: Props<Row>) {
  return (
    <Loaded query={query} failureTitle={failureTitle}>
      {({ items, total, isTotalExact }) => (
        <>
          {items.length === 0 ? empty : children(items)}
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={total}
            isTotalExact={isTotalExact}
            words={words}
            onPage={onPage}
          />
        </>
      )}
    </Loaded>
  );
}
