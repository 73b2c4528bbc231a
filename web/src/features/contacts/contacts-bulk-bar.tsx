import { api } from "../../core/api.ts";
import { ArchiveBar } from "../../core/archive-bar.tsx";

interface Props {
  ids: readonly string[];
  status: "active" | "archived";
  onClear: () => void;
}

/** Stands in for the filter bar while rows are selected. */
export function ContactsBulkBar(props: Props) {
  const utils = api.useUtils();
  const setStatus = api.contacts.setStatus.useMutation({ onSettled: () => utils.contacts.invalidate() });
  return (
    <ArchiveBar
      {...props}
      words={["contact", "contacts"]}
      setStatus={(ids, status) => setStatus.mutateAsync({ ids, status })}
    />
  );
}
