import type { Invoice, sendInvoiceSchema } from "@app/shared/invoices";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import { doOnce } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { defineSentLetterFollower } from "../outbox/sent-letters.service.ts";
import { prepareMail, queueInvoiceMail } from "./invoice-mail.ts";
import { findVisibleDoc, getInvoice } from "./invoice-reading.service.ts";
import { invoicesOnTheirWay } from "./money-outside.service.ts";
import { InvoiceModel } from "./invoices.model.ts";
import { reachedBy } from "./payer-mail.service.ts";

/** By mail to whoever pays it, with its PDF, once for each id that its sender chose. It leaves through the outbox and its gate. */
export const sendInvoice = (
  scope: Scope,
  { changeId, id }: z.output<typeof sendInvoiceSchema> & { changeId: string },
): Promise<Invoice> =>
  doOnce(
    scope,
    { id: changeId, input: { id }, what: "invoices.send" },
    {
      make: async (keep) => {
        const doc = await findVisibleDoc(scope, id);
        if (doc.state === "draft") throw wrongState("This invoice is a draft. Issue it first, then send it.");
        if (doc.state === "void") throw wrongState("This invoice is void, so it is not sent.");
        const to = await reachedBy(scope, doc);
        if (to.whyNot) throw wrongState(`This invoice was not sent to ${to.name}: ${to.whyNot}`);
        const mail = await prepareMail(scope, { doc, purpose: "invoice", to });
        await inTransaction(async () => {
          await keep(id);
          await queueInvoiceMail(scope, mail);
        });
        return getInvoice(scope, id);
      },
      look: (madeId) => getInvoice(scope, madeId),
    },
  );

// Only what has left was sent.
defineSentLetterFollower(async ({ ownerId, mailId, sentAt }) => {
  await InvoiceModel.updateOne({ ownerId, "mails.id": mailId }, { $set: { sentAt } });
});

// What was paid, or made void, or is on its way since its mail waits is not asked for.
defineLeavingLetter(async ({ ownerId, mailId }) => {
  const doc = await InvoiceModel.findOne({ ownerId, "mails.id": mailId }).lean();
  const mail = doc?.mails.find(({ id }) => id === mailId);
  if (!doc || !mail) return null;
  if (doc.state === "void") return { stays: "superseded", reason: "The invoice was made void meanwhile." };
  if (!mail.isReminder) return null;
  if (doc.dueMinor === 0) return { stays: "superseded", reason: "The invoice was paid meanwhile." };
  return (await invoicesOnTheirWay(ownerId)).includes(doc._id)
    ? { stays: "superseded", reason: "Money for this invoice is on its way by now." }
    : null;
});
