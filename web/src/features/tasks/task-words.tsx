import type { Task } from "@app/shared/tasks";
import { IconShield } from "@tabler/icons-react";
import { Chip } from "../../ui/chip.tsx";

/** What is to be done; what is for somebody's safety is marked. */
export function TaskWords({ task: { title, isSafety } }: { task: Task }) {
  if (!isSafety) return title;
  const words = title.slice(title.indexOf(":") + 1).trimStart();
  return (
    <>
      <Chip tone="safety" icon={<IconShield size={14} stroke={1.7} aria-hidden />}>
        Safety
      </Chip>{" "}
      {words.charAt(0).toUpperCase() + words.slice(1)}
    </>
  );
}
