import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import type { useServerForm } from "../../core/form.tsx";

export interface TaskValues {
  title: string;
  /** Empty where it has no day. */
  dueOn: string;
  assigneeId: string;
}

interface Props {
  form: Pick<ReturnType<typeof useServerForm<TaskValues>>, "field">;
  /** Whose it is, where they are no colleague any more. */
  formerName?: string;
}

/** What is to be done, by when and by whom. */
export function TaskFields({ form, formerName }: Props) {
  const people = (api.users.colleagues.useQuery().data?.items ?? []).map(({ userId, name }) => ({
    value: userId,
    label: name,
  }));
  const { value, ...assignee } = form.field("assigneeId");
  const isFormer = formerName !== undefined && !people.some((person) => person.value === value);
  return (
    <>
      <TextInput label="What is to be done?" maxLength={TASK_TITLE_MAX_LENGTH} {...form.field("title")} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput label="Due (optional)" type="date" {...form.field("dueOn")} />
        <NativeSelect
          label="Who"
          data={isFormer ? [{ value, label: formerName }, ...people] : people}
          value={value}
          {...assignee}
        />
      </SimpleGrid>
    </>
  );
}
