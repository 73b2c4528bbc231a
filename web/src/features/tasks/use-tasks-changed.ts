import { api } from "../../core/api.ts";

/** Everything that shows tasks. */
export function useTasksChanged(): () => Promise<void> {
  const utils = api.useUtils();
  return async () => {
    await Promise.all([utils.tasks.invalidate(), utils.dashboard.invalidate(), utils.timeline.invalidate()]);
  };
}
