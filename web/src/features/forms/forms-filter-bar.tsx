import { FORM_KINDS } from "@app/shared/form-kinds";
import { FORM_KIND_NAMES } from "@app/shared/form-limits";
import { can } from "@app/shared/access";
import { ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import type { FormsSearch } from "./forms-search.ts";

const COLUMNS = [
  { key: "kind", label: "Kind" },
  { key: "status", label: "Status" },
  { key: "changed", label: "Draft" },
  { key: "questions", label: "Questions" },
  { key: "answers", label: "Answers" },
  { key: "updatedAt", label: "Changed" },
] as const;

export function FormsFilterBar({ place }: { place: ListPlace<FormsSearch> }) {
  const user = useCurrentUser();
  const { kind, status } = place.search;
  const kinds = FORM_KINDS.filter((one) => one !== "lead" || can(user, "leads.manage"));
  return (
    <ListFilterBar
      place={place}
      searchLabel="Name of the form"
      filters={[
        {
          key: "kind",
          label: "Kind",
          value: kind,
          options: kinds.map((value) => ({ value, label: FORM_KIND_NAMES[value] })),
        },
        { key: "status", label: "Status", value: status, options: [{ value: "archived", label: "Archived" }] },
      ]}
      columns={COLUMNS}
    />
  );
}
