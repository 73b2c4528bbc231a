import type { SafeguardingEntry } from "@app/shared/safeguarding";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { Section } from "../../ui/section.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryRecord } from "./entry-record.tsx";

interface Open {
  /** None where a new one is written. */
  entry: SafeguardingEntry | undefined;
}

/** As it was read last: somebody may amend it while this is open. */
const latestOf = (entry: SafeguardingEntry | undefined, read: readonly SafeguardingEntry[] = []) =>
  read.find(({ id }) => id === entry?.id) ?? entry;

/** The safeguarding record of a case, seen only by those who may read it. */
export function SafeguardingSection({ caseId, mayChange }: { caseId: string; mayChange: boolean }) {
  const [page, setPage] = useState(1);
  const entries = api.safeguarding.list.useQuery({ caseId, page });
  const [open, setOpen] = useState<Open | null>(null);
  const action = mayChange && (
    <Button size="xs" variant="default" onClick={() => setOpen({ entry: undefined })}>
      Add a safeguarding entry
    </Button>
  );
  return (
    <Section title="Safeguarding record" action={action}>
      <LoadedPage
        query={entries}
        failureTitle="The safeguarding record could not be read"
        empty={<p className="quiet-text">Nothing is recorded that you may read.</p>}
        page={page}
        words={["entry", "entries"]}
        onPage={setPage}
      >
        {(items) => (
          <Stack gap="md" pt="sm">
            {items.map((entry) => (
              <EntryRecord key={entry.id} entry={entry} onAmend={mayChange ? () => setOpen({ entry }) : undefined} />
            ))}
          </Stack>
        )}
      </LoadedPage>
      {open && (
        <EntryDialog
          caseId={caseId}
          entry={latestOf(open.entry, entries.data?.items)}
          page={page}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  );
}
