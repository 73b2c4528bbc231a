import type { CreateTask } from "@app/shared/tasks";
import { NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  clientId: string | null;
  caseId: string | null;
  onClose: () => void;
}

export function TaskDialog({ clientId, caseId, onClose }: Props) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const people = api.users.colleagues.useQuery();
  const create = api.tasks.create.useMutation();
  const form = useServerForm({
    initialValues: { title: "", dueOn: "", assigneeId: user.userId },
    submit: async ({ dueOn, ...values }, id) => {
      const task: CreateTask = { ...values, dueOn: dueOn || null, clientId, caseId };
      await create.mutateAsync({ id, ...task });
      await Promise.all([utils.tasks.invalidate(), utils.dashboard.invalidate(), utils.timeline.invalidate()]);
      notify("Task added");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="New task">
      <Form form={form} label="Task">
        <Stack gap="lg">
          <TextInput label="What is to be done?" maxLength={200} {...form.field("title")} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput label="Due (optional)" type="date" {...form.field("dueOn")} />
            <NativeSelect
              label="Who"
              data={(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
              {...form.field("assigneeId")}
            />
          </SimpleGrid>
          <FormFoot isSaving={form.isSaving}>Add task</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
