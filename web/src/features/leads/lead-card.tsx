import type { LeadStatus } from "@app/shared/lead-states";
import type { LeadRow } from "@app/shared/leads";
import { useDraggable } from "@dnd-kit/core";
import { IconCircleCheckFilled } from "@tabler/icons-react";
import { DOMAIN_NAMES } from "../cases/case-words.ts";
import { LeadAge, LeadLink, NextLine } from "./lead-columns.tsx";
import { hasMarks, LeadMarks } from "./lead-marks.tsx";
import { cameBy } from "./lead-words.ts";
import type { LeadsSearch } from "./leads-search.ts";
import { MoveMenu } from "./move-menu.tsx";

interface Props {
  lead: LeadRow;
  place: LeadsSearch;
  onStep: (to: LeadStatus) => void;
}

/** One lead in its column: dragged with the mouse, moved by its menu otherwise. */
export function LeadCard({ lead, place, onStep }: Props) {
  // Of what makes it draggable only the mouse's part: a list item that is a button is no list item any more.
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: lead.id, data: { lead } });
  return (
    <li
      ref={setNodeRef}
      className="lead-card"
      data-lead={lead.id}
      data-dragging={isDragging || undefined}
      {...listeners}
    >
      <LeadCardContent lead={lead} place={place} />
      <MoveMenu lead={lead} onStep={onStep} />
    </li>
  );
}

export const LeadCardContent = ({ lead, place }: Pick<Props, "lead" | "place">) => (
  <>
    <span className="lead-card-name">
      <LeadLink lead={lead} place={place} />
    </span>
    <span className="lead-card-line">{DOMAIN_NAMES[lead.domain]}</span>
    <span className="lead-card-line">
      {cameBy(lead)}
      <LeadAge lead={lead} />
    </span>
    <span className="lead-card-next">
      {lead.status === "converted" && <IconCircleCheckFilled size={14} aria-hidden />}
      <span className="lead-card-lines">
        <NextLine lead={lead} />
      </span>
    </span>
    {hasMarks(lead) && (
      <span className="lead-card-marks">
        <LeadMarks lead={lead} />
      </span>
    )}
  </>
);
