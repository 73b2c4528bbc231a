import { isOpenLead, LEAD_STATUS_NAMES, type LeadStatus, stepBetween } from "@app/shared/lead-states";
import type { LeadBoard, LeadRow } from "@app/shared/leads";
import { useDroppable } from "@dnd-kit/core";
import { Title } from "@mantine/core";
import { TextLink } from "../../ui/links.tsx";
import { LeadCard } from "./lead-card.tsx";
import type { LeadsSearch } from "./leads-search.ts";

type Column = LeadBoard["columns"][number];

interface Props {
  column: Column;
  place: LeadsSearch;
  /** What is being dragged. */
  dragged: LeadRow | null;
  onStep: (lead: LeadRow, to: LeadStatus) => void;
}

/** One state, with the first of its leads and the way to the rest. */
export function BoardColumn({ column: { status, count, leads }, place, dragged, onStep }: Props) {
  const { setNodeRef, isOver } = useDroppable({ id: status });
  const takes = dragged !== null && stepBetween(dragged.status, status) !== null;
  const state = takes ? (isOver ? "over" : "open") : undefined;
  const name = LEAD_STATUS_NAMES[status];
  return (
    <section ref={setNodeRef} className="leads-column" aria-label={name} data-drop={state}>
      <div className="leads-column-head">
        <Title order={2}>{name}</Title>
        <span>{count}</span>
      </div>
      {isOver && takes && <div className="leads-column-place" aria-hidden />}
      {leads.length > 0 ? (
        <ul>
          {leads.map((lead) => (
            <LeadCard key={lead.id} lead={lead} place={place} onStep={(to) => onStep(lead, to)} />
          ))}
        </ul>
      ) : (
        <p className="leads-column-empty">{isOpenLead(status) ? "Nobody" : "Nobody in 30 days"}</p>
      )}
      {count > leads.length && (
        <TextLink to="/leads" search={{ ...place, view: "list", state: status }} className="leads-column-more">
          {count - leads.length} more<span className="visually-hidden"> in {name}</span>
        </TextLink>
      )}
    </section>
  );
}
