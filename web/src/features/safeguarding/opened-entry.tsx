import { api } from "../../core/api.ts";
import { EntryDialog } from "./entry-dialog.tsx";

interface Props {
  caseId: string;
  partyId: string;
  sessionId: string;
  onClose: () => void;
}

/** The entry that a review of this session just opened, for whoever may read the record, to be completed at once. */
export function OpenedEntry({ caseId, partyId, sessionId, onClose }: Props) {
  const entries = api.safeguarding.list.useQuery({ caseId, page: 1 });
  // What was read before may hold an earlier one of the same review.
  const items = entries.isFetchedAfterMount ? (entries.data?.items ?? []) : [];
  const entry = items.find(
    ({ state, opened }) => state === "to_complete" && opened?.partyId === partyId && opened.sessionId === sessionId,
  );
  return entry && <EntryDialog caseId={caseId} entry={entry} list={entries} onClose={onClose} />;
}
