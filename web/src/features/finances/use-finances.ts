import type { Finances } from "@app/shared/finances";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { focusHeading, isFocusLost } from "../../ui/focus.ts";

/** Puts what the server answered on the screen, and lets what shows a part of it look again. */
export function useFinancesChanged() {
  const utils = api.useUtils();
  return async (finances?: Finances): Promise<void> => {
    if (finances) utils.finances.get.setData({ caseId: finances.caseId }, finances);
    await Promise.all([utils.finances.invalidate(), utils.timeline.invalidate()]);
  };
}

/** What one button does: says what was done, or why it was not, and shows the statement as it is then. */
export function useFinanceAct() {
  const changed = useFinancesChanged();
  return async (work: Promise<Finances>, done: string): Promise<void> => {
    try {
      await changed(await work);
      notify(done);
      // What was pressed may be gone by now.
      setTimeout(() => isFocusLost() && focusHeading());
    } catch (error) {
      notifyError(messageOf(error));
      await changed();
    }
  };
}
