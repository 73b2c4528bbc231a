import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useMoneyChanged } from "../payments/use-money-changed.ts";

/** Shows what came in and what became of it, wherever it stands. */
export function useBankChanged(): () => Promise<void> {
  const utils = api.useUtils();
  const moneyChanged = useMoneyChanged();
  return async () => {
    await Promise.all([utils.bankStatements.invalidate(), moneyChanged()]);
  };
}

/** What one button does: says what was done, or why it was not. */
export function useBankAct() {
  const changed = useBankChanged();
  return async function act<Done>(work: () => Promise<Done>, wordsOf: (done: Done) => string): Promise<void> {
    try {
      notify(wordsOf(await work()));
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      await changed();
    }
  };
}
