// Whoever has not paid in time is reminded, as often as the practice chose and as they may be reached.
import { cutText } from "@app/shared/cut-text";
import { addDays, daysBetween } from "@app/shared/days";
import { formatMoney } from "@app/shared/money";
import { REGIONS } from "@app/shared/regions";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { HOUR_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceDates, practiceRegion, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { aboutOverdue } from "./invoice-changes.ts";
import { prepareMail, queueInvoiceMail } from "./invoice-mail.ts";
import { invoiceSettingsOf } from "./invoice-settings.service.ts";
import { invoicesOnTheirWay } from "./money-outside.service.ts";
import { type InvoiceDoc, InvoiceModel, InvoiceSettingsModel } from "./invoices.model.ts";
import { reachedBy, whyNotUnasked } from "./payer-mail.service.ts";

/** Reminds of each invoice that is overdue by so many days, once for each of the practice's reminders, in whichever process. */
export const remindOfInvoices = defineDueItems<InvoiceDoc>({
  name: "remind of invoices",
  everyMs: HOUR_MS,
  owners: () =>
    InvoiceSettingsModel.distinct("ownerId", { "reminderDays.0": mongoose.trusted({ $exists: true }) }).setOptions({
      anyOwner: true,
    }),
  async next(ownerId, besides, max) {
    const { reminderDays } = await invoiceSettingsOf(ownerId);
    if (reminderDays.length === 0) return [];
    const today = await practiceToday(ownerId);
    const due = reminderDays.map((days, count) => ({
      remindedCount: count,
      dueOn: mongoose.trusted({ $gt: "", $lte: addDays(today, -days) }),
    }));
    return InvoiceModel.find({
      ownerId,
      state: mongoose.trusted({ $in: ["issued", "part_paid"] as const }),
      $or: due,
      // Whoever has seen to it is not reminded of it.
      _id: mongoose.trusted({ $nin: [...besides, ...(await invoicesOnTheirWay(ownerId))] }),
    })
      .sort({ dueOn: 1, _id: 1 })
      .limit(max)
      .lean<InvoiceDoc[]>();
  },
  work: remind,
  tell: (doc) => askToRemind(doc, `look at it: no reminder could be written`),
});

/** Those whose day is over are one: nobody gets several on a day because reminders were switched on late. */
async function remind(doc: InvoiceDoc): Promise<void> {
  const { ownerId } = doc;
  const scope = systemScope(ownerId);
  const [{ reminderDays }, today] = await Promise.all([invoiceSettingsOf(ownerId), practiceToday(ownerId)]);
  const overdueFor = daysBetween(doc.dueOn, today);
  const remindedCount = reminderDays.filter((days) => days <= overdueFor).length;
  const to = await reachedBy(scope, doc);
  const whyNot = to.whyNot || (await whyNotUnasked(doc, to));
  const mail = whyNot ? null : await prepareMail(scope, { doc, purpose: "reminder", to });
  await inTransaction(async () => {
    const { modifiedCount } = await InvoiceModel.updateOne(
      // Not by its version, which the link to pay that the mail gets has changed.
      { ownerId, _id: doc._id, state: doc.state, dueMinor: doc.dueMinor, remindedCount: doc.remindedCount },
      { $set: { remindedCount } },
    );
    if (modifiedCount === 0) return;
    if (mail) await queueInvoiceMail(scope, mail);
    else await askToRemind(doc, `remind ${to.name}: ${whyNot}`);
  });
}

async function askToRemind(doc: InvoiceDoc, what: string): Promise<void> {
  const { ownerId, caseId, payer, number, currency, dueMinor, dueOn } = doc;
  const [{ calendarDay }, region, today] = await Promise.all([
    practiceDates(ownerId),
    practiceRegion(ownerId),
    practiceToday(ownerId),
  ]);
  const due = formatMoney({ amountMinor: dueMinor, currency }, REGIONS[region].locale);
  const title = `Invoice ${number}, ${due} due since ${calendarDay(dueOn)}: ${what}`;
  await createTasks(systemScope(ownerId), [
    {
      title: cutText(title, TASK_TITLE_MAX_LENGTH),
      dueOn: today,
      assigneeId: doc.createdBy,
      caseId,
      clientId: payer.kind === "party" ? payer.clientId : null,
      needs: "payments.read",
      about: aboutOverdue(doc._id),
    },
  ]);
}
