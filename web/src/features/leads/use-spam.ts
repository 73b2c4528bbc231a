import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useLeadChanged } from "./use-lead-steps.ts";

/** Says of leads that they are spam, or that they are none; either can be undone. */
export function useSpam() {
  const changed = useLeadChanged();
  const set = api.leads.setSpam.useMutation({ onSettled: () => changed() });
  const mark = async (ids: readonly string[], isSpam: boolean, isUndoing = false): Promise<void> => {
    try {
      const { changed: count } = await set.mutateAsync({ ids: [...ids], isSpam });
      const what = count === 1 ? "1 lead" : `${count} leads`;
      const undo = { label: "Undo", onAct: () => void mark(ids, !isSpam, true) };
      notify(isSpam ? `${what} marked as spam` : `${what} no longer spam`, ...(isUndoing ? [] : [undo]));
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return { mark: (ids: readonly string[], isSpam: boolean) => mark(ids, isSpam), isBusy: set.isPending };
}
