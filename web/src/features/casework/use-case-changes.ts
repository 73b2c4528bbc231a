import { api } from "../../core/api.ts";

/** What has to be read anew after a case changed. */
export function useCaseChanged(): () => Promise<void> {
  const utils = api.useUtils();
  return async () => {
    await Promise.all([
      utils.cases.invalidate(),
      utils.casework.invalidate(),
      utils.partyView.invalidate(),
      utils.conflicts.invalidate(),
      utils.assessments.invalidate(),
      utils.certificates.invalidate(),
      utils.timeline.invalidate(),
      utils.tasks.invalidate(),
    ]);
  };
}
