import { caseInvoicesSchema, invoicesOfCaseSchema } from "@app/shared/case-invoices";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  createInvoiceSchema,
  creditInvoiceSchema,
  invoicePageSchema,
  invoiceRowSchema,
  invoiceSchema,
  invoiceSettingsSchema,
  issueInvoiceSchema,
  listInvoicesSchema,
  removeInvoiceSchema,
  sendInvoiceSchema,
  setInvoiceSettingsSchema,
  splitInvoiceSchema,
  updateInvoiceSchema,
  useCreditSchema,
  voidInvoiceSchema,
  voucherLeftSchema,
} from "@app/shared/invoices";
import { z } from "zod";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { invoicesOfCase } from "./case-invoices.service.ts";
import * as drafts from "./invoice-drafts.service.ts";
import * as issued from "./invoice-issue.service.ts";
import "./invoice-reminders.ts";
import { sendInvoice } from "./invoice-sending.service.ts";
import * as reading from "./invoice-reading.service.ts";
import { spendCreditOn } from "./invoices.service.ts";
import { voucherOf } from "./voucher-cap.service.ts";
import { getInvoiceSettings, setInvoiceSettings } from "./invoice-settings.service.ts";

const readers = permitted("clients.read", "payments.read");
const sendable = permitted("clients.read", "payments.read", "payments.manage", "mail.send");
const managers = permitted("clients.read", "payments.read", "payments.manage");

export const invoicesRouter = router({
  list: readers.input(listInvoicesSchema).output(invoicePageSchema).query(calling(reading.listInvoices)),
  ofCase: readers.input(invoicesOfCaseSchema).output(caseInvoicesSchema).query(calling(invoicesOfCase)),
  get: readers.input(byIdSchema).output(invoiceSchema).query(callingById(reading.getInvoice)),
  create: managers
    .input(createInvoiceSchema.safeExtend(ofNewThing))
    .output(invoiceSchema)
    .mutation(creating(drafts.createInvoice, reading.getInvoice)),
  split: managers
    .input(splitInvoiceSchema.safeExtend(ofNewThing))
    .output(z.object({ items: z.array(invoiceRowSchema) }))
    .mutation(creating(drafts.splitInvoice, reading.invoicesOfSplit)),
  update: managers.input(updateInvoiceSchema).output(invoiceSchema).mutation(calling(drafts.updateInvoice)),
  remove: managers
    .input(removeInvoiceSchema)
    .output(z.object({ removed: z.number().int() }))
    .mutation(calling(drafts.removeInvoice)),
  issue: managers.input(issueInvoiceSchema).output(invoiceSchema).mutation(calling(issued.issueInvoice)),
  void: managers.input(voidInvoiceSchema).output(invoiceSchema).mutation(calling(issued.voidInvoice)),
  credit: managers.input(creditInvoiceSchema).output(invoiceSchema).mutation(calling(issued.creditInvoice)),
  useCredit: managers.input(useCreditSchema).output(invoiceSchema).mutation(calling(spendCreditOn)),
  send: sendable.input(sendInvoiceSchema.safeExtend(ofChange)).output(invoiceSchema).mutation(calling(sendInvoice)),
  voucher: readers.input(invoicesOfCaseSchema).output(voucherLeftSchema).query(calling(voucherOf)),
  settings: permitted("payments.read")
    .output(invoiceSettingsSchema)
    .query(({ ctx }) => getInvoiceSettings(ctx.scope)),
  setSettings: permitted("payments.read", "payments.manage")
    .input(setInvoiceSettingsSchema)
    .output(invoiceSettingsSchema)
    .mutation(calling(setInvoiceSettings)),
});
