import type { Task } from "@app/shared/tasks";
import { ActionIcon, Checkbox } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { TextLink } from "../../ui/links.tsx";
import { DueDay } from "./due-day.tsx";
import { EditTaskDialog } from "./edit-task-dialog.tsx";
import "./tasks.css";

interface Props {
  tasks: readonly Task[];
  mayChange: boolean;
  /** Leaves out whose task it is where every row is the same person's. */
  isLinked?: boolean;
}

/** Tasks with their day; ticking one off can be undone. */
export function TaskList({ tasks, mayChange, isLinked = true }: Props) {
  const utils = api.useUtils();
  const setStatus = api.tasks.setStatus.useMutation({
    onSettled: () => Promise.all([utils.tasks.invalidate(), utils.dashboard.invalidate()]),
  });
  const [editing, setEditing] = useState<Task | null>(null);
  const set = async (task: Task, status: "done" | "open") => {
    try {
      await setStatus.mutateAsync({ id: task.id, status });
      const undo = () => void set(task, "open");
      if (status === "done") notify(`Done: ${task.title}`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <>
      <ul className="task-list">
        {tasks.map((task) => (
          <li key={task.id}>
            <Checkbox
              size="xs"
              aria-label={`Done: ${task.title}`}
              checked={task.status === "done"}
              disabled={!mayChange}
              onChange={(event) => void set(task, event.currentTarget.checked ? "done" : "open")}
            />
            <span className="task-title">
              {isLinked && task.clientId ? (
                <TextLink to="/clients/view/$id" params={{ id: task.clientId }} inherit>
                  {task.title}
                </TextLink>
              ) : (
                task.title
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
