import { api } from "../../core/api.ts";
import { ArchiveBar } from "../../core/archive-bar.tsx";
import type { Selected } from "../../core/list-page.tsx";

/** Stands in for the filter bar while rows are selected. */
export function ContactsBulkBar(selected: Selected) {
  const utils = api.useUtils();
  const setStatus = api.contacts.setStatus.useMutation({ onSettled: () => utils.contacts.invalidate() });
  return (
    <ArchiveBar
      {...selected}
      words={["contact", "contacts"]}
      setStatus={(ids, status) => setStatus.mutateAsync({ ids, status })}
    />
  );
}
