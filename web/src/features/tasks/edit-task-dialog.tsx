import type { Task } from "@app/shared/tasks";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { TaskFields, type TaskValues } from "./task-fields.tsx";
import { useTasksChanged } from "./use-tasks-changed.ts";

const recordOf = ({ title, dueOn, assigneeId, version }: Task) => ({
  values: { title, dueOn: dueOn ?? "", assigneeId },
  version,
});

interface Props {
  task: Task;
  onClose: () => void;
}

/** A task in other words, for another day or for somebody else. */
export function EditTaskDialog({ task, onClose }: Props) {
  const utils = api.useUtils();
  const changed = useTasksChanged();
  const people = api.users.colleagues.useQuery();
  const nameOf = (id: string) => people.data?.items.find(({ userId }) => userId === id)?.name ?? task.assigneeName;
  const update = api.tasks.update.useMutation();
  const form = useVersionedForm<TaskValues>({
    fields: plainFields<TaskValues>(
      { title: "What is to be done", dueOn: "Due", assigneeId: "Who" },
      { assigneeId: nameOf },
    ),
    stored: recordOf(task),
    read: async () => recordOf(await utils.tasks.get.fetch({ id: task.id }, { staleTime: 0 })),
    async send({ dueOn, ...values }, version) {
      const saved = await update.mutateAsync({ ...values, dueOn: dueOn || null, id: task.id, version });
      await changed();
      notify("Task saved");
      onClose();
      return recordOf(saved);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Change the task">
      <VersionedForm form={form} what="task" label="Task">
        <Stack gap="lg">
          <TaskFields form={form} formerName={task.assigneeName} />
          <FormFoot isSaving={form.newer.isSaving}>Save the task</FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}
