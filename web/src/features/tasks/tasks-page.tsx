import { can } from "@app/shared/access";
import type { Task } from "@app/shared/tasks";
import { Button } from "@mantine/core";
import { IconChecklist, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { ListPage, useListPlace } from "../../core/list-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { EditTaskDialog } from "./edit-task-dialog.tsx";
import { taskColumns, TaskPhoneRow } from "./task-columns.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { TasksFilterBar } from "./tasks-filter-bar.tsx";
import { parseTasksSearch, tasksInput, type TasksSearch } from "./tasks-search.ts";
import "./tasks.css";

/** Everybody's tasks as far as this person may see them, what is due first on top. */
export function TasksPage({ search }: { search: TasksSearch }) {
  const mayChange = can(useCurrentUser(), "clients.write");
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Task | null>(null);
  const { add, ...list } = search;
  const place = useListPlace({
    search: list,
    parse: parseTasksSearch,
    onChange: (next) => void navigate({ to: "/tasks", search: next, replace: true }),
  });
  const query = api.tasks.list.useQuery(tasksInput(list), { placeholderData: keepPreviousData });
  const data = query.data && { ...query.data, items: query.data.items.map(named) };
  const hidden = new Set(search.hide);
  const onChange = mayChange ? setEditing : undefined;
  return (
    <>
      <ListPage
        title="Tasks"
        words={["task", "tasks"]}
        place={place}
        query={{ ...query, data }}
        sortedBy="dueOn"
        columns={taskColumns(list, onChange).filter(({ key }) => !hidden.has(key))}
        phoneRow={(task) => <TaskPhoneRow task={task} onChange={onChange} />}
        empty={<NoTasks search={list} onClear={place.clear} />}
        actions={mayChange && <AddTask list={list} />}
        filterBar={<TasksFilterBar place={place} tasks={query.data?.items ?? []} />}
      />
      {editing && <EditTaskDialog task={editing} onClose={() => setEditing(null)} />}
      {add && (
        <TaskDialog
          clientId={search.client ?? null}
          caseId={search.case ?? null}
          onClose={() => void navigate({ to: "/tasks", search: list })}
        />
      )}
    </>
  );
}

const named = (task: Task) => ({ ...task, displayName: task.title });

const AddTask = ({ list }: { list: TasksSearch }) => (
  <LinkButton to="/tasks" search={{ ...list, add: true }} leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}>
    Add task
  </LinkButton>
);

function NoTasks({ search, onClear }: { search: TasksSearch; onClear: () => void }) {
  const icon = <IconChecklist size={24} stroke={1.7} />;
  const { hide: _hide, ...asked } = search;
  if (Object.keys(asked).length > 0)
    return (
      <EmptyState
        icon={icon}
        title="No task matches this"
        actions={
          <Button variant="default" onClick={onClear}>
            Show all open tasks
          </Button>
        }
      >
        Check the spelling, or take a filter away.
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title="No open tasks">
      Your tasks and your colleagues’ tasks are listed here: those you add, and those that follow from a case.
    </EmptyState>
  );
}
