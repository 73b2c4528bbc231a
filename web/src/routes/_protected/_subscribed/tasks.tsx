import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { mayNow } from "../../../core/session-state.ts";
import { TasksPage } from "../../../features/tasks/tasks-page.tsx";
import { parseTasksSearch, tasksInput } from "../../../features/tasks/tasks-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/tasks")({
  validateSearch: parseTasksSearch,
  loaderDeps: ({ search }) => tasksInput(search),
  loader: (context) => {
    if (mayNow("clients.read")) loadMeanwhile(context, apiUtils.tasks.list.ensureData(context.deps));
  },
  component: RouteComponent,
});

function RouteComponent() {
  return <TasksPage search={Route.useSearch()} />;
}
