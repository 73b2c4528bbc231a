import { api } from "../../core/api.ts";
import { ArchiveBar } from "../../core/archive-bar.tsx";

interface Props {
  ids: readonly string[];
  status: "active" | "archived";
  onClear: () => void;
}

/** Stands in for the filter bar while rows are selected. */
export function ClientsBulkBar(props: Props) {
  const utils = api.useUtils();
  const setStatus = api.clients.setStatus.useMutation({ onSettled: () => utils.clients.invalidate() });
  return (
    <ArchiveBar
      {...props}
      words={["client", "clients"]}
      setStatus={(ids, status) => setStatus.mutateAsync({ ids, status })}
    />
  );
}
