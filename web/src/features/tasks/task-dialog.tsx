import type { CreateTask } from "@app/shared/tasks";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { TaskFields, type TaskValues } from "./task-fields.tsx";
import { useTasksChanged } from "./use-tasks-changed.ts";

interface Props {
  clientId: string | null;
  caseId: string | null;
  onClose: () => void;
}

export function TaskDialog({ clientId, caseId, onClose }: Props) {
  const user = useCurrentUser();
  const changed = useTasksChanged();
  const create = api.tasks.create.useMutation();
  const form = useServerForm<TaskValues>({
    initialValues: { title: "", dueOn: "", assigneeId: user.userId },
    submit: async ({ dueOn, ...values }, id) => {
      const task: CreateTask = { ...values, dueOn: dueOn || null, clientId, caseId };
      await create.mutateAsync({ id, ...task });
      await changed();
      notify("Task added");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="New task">
      <Form form={form} label="Task">
        <Stack gap="lg">
          <TaskFields form={form} />
          <FormFoot isSaving={form.isSaving}>Add task</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
