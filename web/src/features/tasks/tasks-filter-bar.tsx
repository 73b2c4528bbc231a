import type { Task } from "@app/shared/tasks";
import { ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import type { TasksSearch } from "./tasks-search.ts";

const COLUMNS = [
  { key: "client", label: "Client" },
  { key: "case", label: "Case" },
  { key: "assignee", label: "Who" },
  { key: "dueOn", label: "Due" },
] as const;

/** The case and the client stand there where somebody came for them; the list names them once it is read. */
const filtersOf = ({ who, due, state, ...search }: TasksSearch, tasks: readonly Task[]): Filter[] => [
  { key: "who", label: "Who", value: who, options: [{ value: "me", label: "Me" }] },
  {
    key: "due",
    label: "Due",
    value: due,
    options: [
      { value: "overdue", label: "Overdue" },
      { value: "week", label: "Within a week" },
    ],
  },
  { key: "state", label: "Status", value: state, options: [{ value: "done", label: "Done" }] },
  ...ofPlace("case", "Case", search.case, tasks.find(({ caseId }) => caseId === search.case)?.caseRef),
  ...ofPlace("client", "Client", search.client, tasks.find(({ clientId }) => clientId === search.client)?.clientName),
];

const ofPlace = (key: string, label: string, value: string | undefined, name = "this one"): Filter[] =>
  value === undefined ? [] : [{ key, label, value, options: [{ value, label: name || "this one" }] }];

export const TasksFilterBar = ({ place, tasks }: { place: ListPlace<TasksSearch>; tasks: readonly Task[] }) => (
  <ListFilterBar
    place={place}
    searchLabel="What is to be done"
    filters={filtersOf(place.search, tasks)}
    columns={COLUMNS}
  />
);
