import type { Task } from "@app/shared/tasks";
import { Checkbox } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

/** Ticks a task off, which can be undone. */
export function TaskTick({ task, mayChange }: { task: Task; mayChange: boolean }) {
  const utils = api.useUtils();
  const setStatus = api.tasks.setStatus.useMutation({
    onSettled: () => Promise.all([utils.tasks.invalidate(), utils.dashboard.invalidate()]),
  });
  const set = async (status: "done" | "open") => {
    try {
      await setStatus.mutateAsync({ id: task.id, status });
      const undo = () => void set("open");
      if (status === "done") notify(`Done: ${task.title}`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Checkbox
      size="xs"
      aria-label={`Done: ${task.title}`}
      checked={task.status === "done"}
      disabled={!mayChange}
      onChange={(event) => void set(event.currentTarget.checked ? "done" : "open")}
    />
  );
}
