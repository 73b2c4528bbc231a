import { useFormats } from "../../core/format.ts";
import { useToday } from "../../core/today.ts";
import { Chip } from "../../ui/chip.tsx";
import "./tasks.css";

/** When something is due: overdue stands out, and today is called so. */
export function DueDay({ dueOn, isDone = false }: { dueOn: string | null; isDone?: boolean }) {
  const formats = useFormats();
  const today = useToday();
  if (!dueOn) return null;
  if (dueOn === today) return <span className="task-day">Today</span>;
  const day = formats.shortDay(dueOn);
  return dueOn < today && !isDone ? <Chip tone="late">{day}</Chip> : <span className="task-day">{day}</span>;
}
