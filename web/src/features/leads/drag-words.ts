// What is said of a drag to whoever does not see it.
import { LEAD_STATUS_NAMES, LEAD_STATUSES } from "@app/shared/lead-states";
import type { Announcements } from "@dnd-kit/core";

type Part = Parameters<Announcements["onDragEnd"]>[0];

const nameOf = ({ active }: Pick<Part, "active">): string => active.data.current?.["lead"]?.displayName ?? "The lead";
const columnOf = ({ over }: Part): string | null => {
  const status = LEAD_STATUSES.find((one) => one === over?.id);
  return status ? LEAD_STATUS_NAMES[status] : null;
};

export const DRAG_WORDS: Announcements = {
  onDragStart: (part) => `You are moving ${nameOf(part)}.`,
  onDragOver(part) {
    const column = columnOf(part);
    return column ? `${nameOf(part)} is over ${column}.` : `${nameOf(part)} is over no column.`;
  },
  onDragEnd(part) {
    const column = columnOf(part);
    return column ? `${nameOf(part)} was dropped on ${column}.` : `${nameOf(part)} was put back.`;
  },
  onDragCancel: (part) => `${nameOf(part)} was put back.`,
};
