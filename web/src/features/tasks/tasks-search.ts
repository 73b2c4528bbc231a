import { TASK_DUE, type TaskDue } from "@app/shared/task-due";
import type { ListTasks } from "@app/shared/tasks";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The tasks as they stand in the address: all that are open where nothing is said. */
export interface TasksSearch extends ListSearch {
  who?: "me";
  due?: TaskDue;
  /** Those that are over, in place of the open ones. */
  state?: "done";
  case?: string;
  client?: string;
  /** A task is being added. */
  add?: true;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseTasksSearch(raw: Record<string, unknown>): TasksSearch {
  return {
    ...searchedFor(raw),
    ...optionOf(raw, "who", ["me"]),
    ...optionOf(raw, "due", TASK_DUE),
    ...optionOf(raw, "state", ["done"]),
    ...textsOf(raw, ["case", "client"]),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...flagOf(raw, "add"),
  };
}

/** What the server is asked for. */
export const tasksInput = ({
  search,
  who,
  due,
  state,
  case: caseId,
  client: clientId,
  page,
}: TasksSearch): ListTasks => ({
  ...(search === undefined ? {} : { search }),
  ...(who === undefined ? {} : { assignee: who }),
  ...(due === undefined ? {} : { due }),
  ...(state === "done" ? { isOpen: false } : {}),
  ...(caseId === undefined ? {} : { caseId }),
  ...(clientId === undefined ? {} : { clientId }),
  ...(page === undefined ? {} : { page }),
});
