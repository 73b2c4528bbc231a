import type { LeadStatus } from "@app/shared/lead-states";
import { LEAD_STATUSES, stepBetween } from "@app/shared/lead-states";
import type { LeadBoard as Board, LeadRow } from "@app/shared/leads";
import { DndContext, type DragEndEvent, DragOverlay, MouseSensor, useSensor, useSensors } from "@dnd-kit/core";
import { useRef, useState } from "react";
import { BoardColumn } from "./board-column.tsx";
import { DRAG_WORDS } from "./drag-words.ts";
import { LeadCardContent } from "./lead-card.tsx";
import type { LeadsSearch } from "./leads-search.ts";
import type { Moved } from "./use-lead-steps.ts";

/** A click is no drag. */
const DRAG_FROM_PX = 6;

interface Props {
  board: Board;
  place: LeadsSearch;
  onStep: (lead: Moved, to: LeadStatus) => Promise<void>;
}

/** The states in their legal order. A card that is dropped stands there at once, and goes back where it is refused. */
export function LeadBoard({ board: shown, place, onStep }: Props) {
  const board = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<LeadRow | null>(null);
  const [moved, setMoved] = useState<{ lead: LeadRow; to: LeadStatus } | null>(null);
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: DRAG_FROM_PX } }));
  const leadOf = (id: unknown) => shown.columns.flatMap(({ leads }) => leads).find((lead) => lead.id === id) ?? null;

  async function step(lead: LeadRow, to: LeadStatus) {
    const way = stepBetween(lead.status, to);
    const isAtOnce = way === "move" || way === "reopen";
    if (isAtOnce) setMoved({ lead, to });
    await onStep(lead, to);
    setMoved(null);
    if (isAtOnce) requestAnimationFrame(() => focusIfLost(board.current, lead.id));
  }

  function drop({ active, over }: DragEndEvent) {
    const lead = leadOf(active.id);
    const to = LEAD_STATUSES.find((status) => status === over?.id);
    setDragged(null);
    if (lead && to && to !== lead.status) void step(lead, to);
  }

  return (
    <DndContext
      sensors={sensors}
      accessibility={{ announcements: DRAG_WORDS }}
      onDragStart={({ active }) => setDragged(leadOf(active.id))}
      onDragCancel={() => setDragged(null)}
      onDragEnd={drop}
    >
      <div className="leads-board" ref={board}>
        {withMoved(shown, moved).map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            place={place}
            dragged={dragged}
            onStep={(lead, to) => void step(lead, to)}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className="lead-card" data-lifted>
            <LeadCardContent lead={dragged} place={place} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** A card that was moved by its menu is another element in its new column: whoever stood on it goes on from there. */
function focusIfLost(board: HTMLElement | null, id: string): void {
  if (document.activeElement !== document.body) return;
  const card = board?.querySelector(`[data-lead="${id}"]`);
  const place = card?.querySelector<HTMLElement>(".lead-menu") ?? card?.querySelector("a");
  place?.focus();
}

function withMoved({ columns }: Board, moved: { lead: LeadRow; to: LeadStatus } | null): Board["columns"] {
  if (!moved) return columns;
  const { lead, to } = moved;
  return columns.map((column) => {
    if (column.status === lead.status)
      return { ...column, count: column.count - 1, leads: column.leads.filter(({ id }) => id !== lead.id) };
    return column.status === to ? { ...column, count: column.count + 1, leads: [lead, ...column.leads] } : column;
  });
}
