import type { Task } from "@app/shared/tasks";
import { Checkbox } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextLink } from "../../ui/links.tsx";
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
  const setStatus = api.tasks.setStatus.useMutation({ onSettled: () => utils.tasks.invalidate() });
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
          </span>
          {task.caseRef && <span className="task-ref">{task.caseRef.slice(-4)}</span>}
          <DueDay task={task} />
        </li>
      ))}
    </ul>
  );
}

function DueDay({ task }: { task: Task }) {
  const formats = useFormats();
  const today = useToday();
  if (!task.dueOn) return null;
  if (task.dueOn === today) return <span className="task-day">Today</span>;
  const day = formats.shortDay(task.dueOn);
  return task.dueOn < today && task.status !== "done" ? (
    <Chip tone="late">{day}</Chip>
  ) : (
    <span className="task-day">{day}</span>
  );
}
