import type { SafeguardingEntry } from "@app/shared/safeguarding";
import { Stack } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryRecord } from "./entry-record.tsx";
import type { EntryProps } from "./use-entry.ts";

type PageProps = ComponentProps<typeof LoadedPage<SafeguardingEntry>>;

interface Props extends Pick<PageProps, "query" | "empty" | "page" | "onPage"> {
  query: PageProps["query"] & EntryProps["list"];
  mayChange: boolean;
}

/** Entries of the safeguarding record, each to be amended or completed by whoever may. */
export function EntryList({ query, mayChange, ...place }: Props) {
  const [open, setOpen] = useState<SafeguardingEntry | null>(null);
  // As it was read last: somebody may amend it while this is open.
  const entry = open && (query.data?.items.find(({ id }) => id === open.id) ?? open);
  return (
    <>
      <LoadedPage
        {...place}
        query={query}
        failureTitle="The safeguarding record could not be read"
        words={["entry", "entries"]}
      >
        {(items) => (
          <Stack gap="md" pt="sm">
            {items.map((each) => (
              <EntryRecord key={each.id} entry={each} onAmend={mayChange ? () => setOpen(each) : undefined} />
            ))}
          </Stack>
        )}
      </LoadedPage>
      {entry && <EntryDialog caseId={entry.caseId} entry={entry} list={query} onClose={() => setOpen(null)} />}
    </>
  );
}
