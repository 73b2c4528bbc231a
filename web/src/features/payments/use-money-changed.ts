import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

/** Shows what is owed and paid now, wherever it stands. */
export function useMoneyChanged(): () => Promise<void> {
  const utils = api.useUtils();
  return async () => {
    await Promise.all([
      utils.invoices.invalidate(),
      utils.payments.invalidate(),
      utils.timeline.invalidate(),
      utils.tasks.invalidate(),
      utils.partyView.invalidate(),
    ]);
  };
}

/** What one button does: says what was done, or why it was not, and shows how things stand then. */
export function useMoneyAct() {
  const changed = useMoneyChanged();
  return async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    try {
      await work();
      notify(done);
      return true;
    } catch (error) {
      notifyError(messageOf(error));
      return false;
    } finally {
      await changed();
    }
  };
}
