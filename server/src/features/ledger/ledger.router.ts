import { ledgerBalanceInputSchema, ledgerBalanceSchema } from "@app/shared/ledger";
import { forbidden } from "../../core/errors.ts";
import { permitted, router } from "../../core/trpc.ts";
import { balances } from "./ledger.service.ts";

export const ledgerRouter = router({
  /** Of the whole practice, so nothing for whoever sees only their own cases. */
  balance: permitted("payments.read", "reports.read")
    .input(ledgerBalanceInputSchema)
    .output(ledgerBalanceSchema)
    .query(async ({ ctx: { scope }, input: { currency } }) => {
      if (scope.isAssignedOnly) throw forbidden("This is of the whole practice, and you see only your own cases.");
      return { items: await balances(scope.ownerId, currency) };
    }),
});
