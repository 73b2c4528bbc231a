import type { Task } from "@app/shared/tasks";
import { UnstyledButton } from "@mantine/core";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { DueDay } from "./due-day.tsx";
import { TaskTick } from "./task-tick.tsx";
import { TaskWords } from "./task-words.tsx";
import type { TasksSearch } from "./tasks-search.ts";

interface CellProps {
  task: Task;
  /** Undefined for who may not change it. */
  onChange: ((task: Task) => void) | undefined;
}

const TaskCell = ({ task, onChange }: CellProps) => (
  <span className="task-cell">
    <TaskTick task={task} mayChange={onChange !== undefined} />
    {onChange ? (
      <UnstyledButton className="task-title" fz="inherit" onClick={() => onChange(task)}>
        <TaskWords task={task} />
      </UnstyledButton>
    ) : (
      <span className="task-title">
        <TaskWords task={task} />
      </span>
    )}
  </span>
);

const ClientCell = ({ task: { clientId, clientName } }: { task: Task }) =>
  clientId ? (
    <TextLink to="/clients/view/$id" params={{ id: clientId }} inherit>
      {clientName}
    </TextLink>
  ) : (
    "–"
  );

function CaseCell({ task: { caseId, caseRef }, list }: { task: Task; list: TasksSearch }) {
  const { page: _page, ...first } = list;
  if (!caseId || !caseRef) return "–";
  return (
    <TextLink to="/tasks" search={{ ...first, case: caseId }} inherit title={`Only tasks of ${caseRef}`}>
      {caseRef}
    </TextLink>
  );
}

export const taskColumns = (list: TasksSearch, onChange: CellProps["onChange"]): Column<Task>[] => [
  { key: "title", header: "Task", cell: (task) => <TaskCell task={task} onChange={onChange} /> },
  { key: "client", header: "Client", width: 176, cell: (task) => <ClientCell task={task} /> },
  { key: "case", header: "Case", width: 128, cell: (task) => <CaseCell task={task} list={list} /> },
  { key: "assignee", header: "Who", width: 150, cell: ({ assigneeName }) => assigneeName },
  {
    key: "dueOn",
    header: "Due",
    width: 96,
    isTabular: true,
    cell: ({ dueOn, status }) => <DueDay dueOn={dueOn} isDone={status === "done" || status === "cancelled"} />,
  },
];

export const TaskPhoneRow = ({ task, onChange }: CellProps) => (
  <>
    <TaskCell task={task} onChange={onChange} />
    <span className="task-phone-row">
      <span>{[task.clientName, task.assigneeName].filter(Boolean).join(" · ")}</span>
      <DueDay dueOn={task.dueOn} isDone={task.status === "done" || task.status === "cancelled"} />
    </span>
  </>
);
