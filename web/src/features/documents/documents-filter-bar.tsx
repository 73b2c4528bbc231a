import { DOCUMENT_KINDS } from "@app/shared/document-kind-list";
import { DOCUMENT_KIND_NAMES } from "@app/shared/document-kinds";
import { ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import type { DocumentsSearch } from "./documents-search.ts";

const COLUMNS = [
  { key: "kind", label: "Kind" },
  { key: "privilege", label: "Marked" },
  { key: "updatedByName", label: "Changed by" },
  { key: "updatedAt", label: "Changed" },
] as const;

export function DocumentsFilterBar({ place }: { place: ListPlace<DocumentsSearch> }) {
  const { kind, status } = place.search;
  return (
    <ListFilterBar
      place={place}
      searchLabel="Name of the template"
      filters={[
        {
          key: "kind",
          label: "Kind",
          value: kind,
          options: DOCUMENT_KINDS.map((value) => ({ value, label: DOCUMENT_KIND_NAMES[value] })),
        },
        { key: "status", label: "Status", value: status, options: [{ value: "archived", label: "Archived" }] },
      ]}
      columns={COLUMNS}
    />
  );
}
