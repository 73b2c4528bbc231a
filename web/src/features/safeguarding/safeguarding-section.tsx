import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Section } from "../../ui/section.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryList } from "./entry-list.tsx";

/** Where the section stands on its page. */
export const SAFEGUARDING_PLACE = "safeguarding-record";

/** The safeguarding record of a case, seen only by those who may read it. */
export function SafeguardingSection({ caseId, mayChange }: { caseId: string; mayChange: boolean }) {
  const [page, setPage] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const entries = api.safeguarding.list.useQuery({ caseId, page });
  const action = mayChange && (
    <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
      Add a safeguarding entry
    </Button>
  );
  return (
    <Section title="Safeguarding record" place={SAFEGUARDING_PLACE} action={action}>
      <EntryList
        query={entries}
        empty={<p className="quiet-text">Nothing is recorded that you may read.</p>}
        page={page}
        onPage={setPage}
        mayChange={mayChange}
      />
      {isAdding && <EntryDialog caseId={caseId} list={entries} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}
