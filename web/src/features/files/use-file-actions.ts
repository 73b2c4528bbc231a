import type { StoredFile } from "@app/shared/files";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

interface Place {
  clientId: string;
  caseId: string | null;
}

export const countOfFiles = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

/** What can be done with one file or several: `what` says in the notice which. */
export function useFileActions() {
  const utils = api.useUtils();
  const options = { onSettled: () => Promise.all([utils.files.invalidate(), utils.timeline.invalidate()]) };
  const removing = api.files.remove.useMutation(options);
  const restoring = api.files.restore.useMutation(options);
  const moving = api.files.move.useMutation(options);
  const act = async (work: Promise<unknown>, done: () => void) => {
    try {
      await work;
      done();
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const restore = (ids: string[], what: string) =>
    act(restoring.mutateAsync({ ids }), () => notify(`${what} brought back`));
  return {
    isBusy: removing.isPending || moving.isPending,
    /** What was released with a consent and taken away is released anew, and not brought back. */
    remove: (files: readonly Pick<StoredFile, "id" | "consent">[], what: string) =>
      act(removing.mutateAsync({ ids: files.map(({ id }) => id) }), () => {
        const ids = files.filter(({ consent }) => consent === null).map(({ id }) => id);
        const undone = ids.length === files.length ? what : countOfFiles(ids.length);
        notify(
          `${what} deleted`,
          ids.length === 0 ? undefined : { label: "Undo", onAct: () => void restore(ids, undone) },
        );
      }),
    move: (ids: string[], what: string, place: Place) =>
      act(moving.mutateAsync({ ids, ...place }), () =>
        notify(`${what} moved. There the practice reads it, and what a party gave in confidence stays so.`),
      ),
  };
}
