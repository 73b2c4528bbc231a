import "./payment-events.ts";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  announcePaymentSchema,
  cancelPaymentSchema,
  casePaymentsSchema,
  checkoutLinkSchema,
  confirmPaymentSchema,
  correctPaymentSchema,
  listPaymentsSchema,
  outcomeSchema,
  paymentLinkSchema,
  paymentOutcomeSchema,
  paymentPageSchema,
  paymentSchema,
  paymentsOfCaseSchema,
  receiptSettingsSchema,
  recordPaymentSchema,
  reconciliationSchema,
  refundPaymentSchema,
} from "@app/shared/payments";
import { forbidden } from "../../core/errors.ts";
import { creating, doOnce } from "../../core/once.ts";
import {
  calling,
  callingById,
  noInputSchema,
  permitted,
  router,
  type Scope,
  visitorProcedure,
} from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.service.ts";
import { announcePayment, cancelPayment, confirmPayment, recordPayment } from "./manual-payments.ts";
import { outcomeFor } from "./outcomes.ts";
import { correctPayment } from "./payment-corrections.ts";
import { checkoutLink } from "./payment-links.ts";
import { getPayment, listPayments, paymentsOfCase, setLooked } from "./payments.service.ts";
import { sendReceipt } from "./receipt-mail.ts";
import { getReceiptSettings, setReceiptSettings } from "./receipt-settings.ts";
import { lastReconciliation, reconcile } from "./reconciliation.ts";
import { refundPayment } from "./refunds.ts";

/** So long somebody waits who asks for it. */
const ASKED_MS = 12_000;

const reading = permitted("clients.read", "payments.read");
const changing = permitted("clients.read", "payments.read", "payments.manage");

function ofAllCases(scope: Scope): Scope {
  if (scope.isAssignedOnly) throw forbidden("This is of the whole practice, and you see only your own cases.");
  return scope;
}

export const paymentsRouter = router({
  list: reading.input(listPaymentsSchema).output(paymentPageSchema).query(calling(listPayments)),
  ofCase: reading.input(paymentsOfCaseSchema).output(casePaymentsSchema).query(calling(paymentsOfCase)),
  get: reading.input(byIdSchema).output(paymentSchema).query(callingById(getPayment)),
  record: changing
    .input(recordPaymentSchema.safeExtend(ofNewThing))
    .output(paymentSchema)
    .mutation(creating(recordPayment, getPayment)),
  announce: changing
    .input(announcePaymentSchema.safeExtend(ofNewThing))
    .output(paymentSchema)
    .mutation(creating(announcePayment, getPayment)),
  confirm: changing.input(confirmPaymentSchema).output(paymentSchema).mutation(calling(confirmPayment)),
  cancel: changing.input(cancelPaymentSchema).output(paymentSchema).mutation(calling(cancelPayment)),
  correct: changing.input(correctPaymentSchema).output(paymentSchema).mutation(calling(correctPayment)),
  refund: changing
    .input(refundPaymentSchema.safeExtend(ofChange))
    .output(paymentSchema)
    .mutation(({ ctx: { scope }, input: { changeId, ...input }, path }) =>
      doOnce(
        scope,
        { id: changeId, input, what: path },
        { make: (keep) => refundPayment(scope, input, keep), look: (id) => getPayment(scope, id) },
      ),
    ),
  sendReceipt: permitted("clients.read", "payments.read", "payments.manage", "mail.send")
    .input(byIdSchema.safeExtend(ofChange))
    .output(paymentSchema)
    .mutation(calling(sendReceipt)),
  receiptSettings: permitted("payments.read")
    .output(receiptSettingsSchema)
    .query(({ ctx }) => getReceiptSettings(ctx.scope)),
  setReceiptSettings: permitted("payments.read", "payments.manage")
    .input(receiptSettingsSchema)
    .output(receiptSettingsSchema)
    .mutation(calling(setReceiptSettings)),
  setLooked: changing.input(byIdSchema).output(paymentSchema).mutation(callingById(setLooked)),
  checkoutLink: changing.input(checkoutLinkSchema).output(paymentLinkSchema).mutation(calling(checkoutLink)),
  /** Of the whole practice, so nothing for whoever sees only their own cases. */
  reconciliation: reading
    .output(reconciliationSchema.nullable())
    .query(({ ctx }) => lastReconciliation(ofAllCases(ctx.scope))),
  reconcile: changing
    .input(noInputSchema)
    .output(reconciliationSchema)
    .mutation(({ ctx }) => reconcile(ofAllCases(ctx.scope).ownerId, ctx.log, ASKED_MS)),
  /** By whoever comes back from paying: nobody here is signed in. */
  outcome: visitorProcedure
    .input(outcomeSchema)
    .output(outputForParty(paymentOutcomeSchema))
    .query(({ ctx, input }) => outcomeFor(ctx, input)),
});
