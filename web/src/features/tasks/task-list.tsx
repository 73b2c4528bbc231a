import type { Task } from "@app/shared/tasks";
import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { TextLink } from "../../ui/links.tsx";
import { DueDay } from "./due-day.tsx";
import { EditTaskDialog } from "./edit-task-dialog.tsx";
import { TaskTick } from "./task-tick.tsx";
import { TaskWords } from "./task-words.tsx";
import "./tasks.css";

interface Props {
  tasks: readonly Task[];
  mayChange: boolean;
  /** Leaves out whose task it is where every row is the same person's. */
  isLinked?: boolean;
}

/** Tasks with their day. */
export function TaskList({ tasks, mayChange, isLinked = true }: Props) {
  const [editing, setEditing] = useState<Task | null>(null);
  return (
    <>
      <ul className="task-list">
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskTick task={task} mayChange={mayChange} />
            <span className="task-title">
              {isLinked && task.clientId ? (
                <TextLink to="/clients/view/$id" params={{ id: task.clientId }} inherit>
                  <TaskWords task={task} />
                </TextLink>
              ) : (
                <TaskWords task={task} />
              )}
              {isLinked && task.clientName && <span className="task-ref"> · {task.clientName}</span>}
            </span>
            {task.caseRef && <span className="task-ref">{task.caseRef.slice(-4)}</span>}
            <DueDay dueOn={task.dueOn} isDone={task.status === "done"} />
            {mayChange && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={`Change: ${task.title}`}
                onClick={() => setEditing(task)}
              >
                <IconPencil size={14} stroke={1.7} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {editing && (
        <EditTaskDialog task={tasks.find(({ id }) => id === editing.id) ?? editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}
