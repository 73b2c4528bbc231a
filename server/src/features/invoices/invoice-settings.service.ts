import type { InvoiceSettings, SetInvoiceSettings } from "@app/shared/invoices";
import { inTransaction } from "../../core/database.ts";
import { badField, stale } from "../../core/errors.ts";
import { VOUCHER_CAP_MINOR } from "@app/shared/vouchers";
import type { Scope } from "../../core/trpc.ts";
import { getPractice, practiceNameOf } from "../practices/practices.service.ts";
import { InvoiceSettingsModel, type InvoiceSettingsDoc, type Issuer } from "./invoices.model.ts";

const BEFORE_THE_FIRST: Omit<InvoiceSettingsDoc, "_id" | "ownerId"> = {
  prefix: "",
  isVatRegistered: false,
  vatNumber: "",
  daysToPay: 14,
  address: "",
  bankDetails: "",
  footer: "",
  reminderDays: [],
  voucherCapMinor: VOUCHER_CAP_MINOR,
  version: 0,
  nextNumber: 1,
  nextCreditNumber: 1,
};

export const invoiceSettingsOf = async (ownerId: string): Promise<Omit<InvoiceSettingsDoc, "_id" | "ownerId">> =>
  // What was stored before a field came has it as it was then.
  ({ ...BEFORE_THE_FIRST, ...(await InvoiceSettingsModel.findOne({ ownerId, _id: ownerId }).lean()) });

/** Who asks for money today. */
export async function issuerOf(ownerId: string): Promise<Issuer> {
  const [name, settings] = await Promise.all([practiceNameOf(ownerId), invoiceSettingsOf(ownerId)]);
  const { address, isVatRegistered, vatNumber, bankDetails, footer } = settings;
  return { name, address, vatNumber: isVatRegistered ? vatNumber : "", bankDetails, footer };
}

export async function getInvoiceSettings(scope: Scope): Promise<InvoiceSettings> {
  const [settings, { currency }] = await Promise.all([invoiceSettingsOf(scope.ownerId), getPractice(scope)]);
  return { ...settings, currency };
}

export async function setInvoiceSettings(
  scope: Scope,
  { version, ...settings }: SetInvoiceSettings,
): Promise<InvoiceSettings> {
  const { ownerId } = scope;
  await inTransaction(async () => {
    const before = await InvoiceSettingsModel.findOne({ ownerId, _id: ownerId }).lean();
    if ((before?.version ?? 0) !== version) throw stale("page");
    const next = before?.nextNumber ?? 1;
    if (settings.nextNumber < next)
      throw badField(
        "nextNumber",
        `The next number is ${next} by now. Enter that or a higher one: no number is given twice.`,
      );
    if (before)
      await InvoiceSettingsModel.updateOne(
        { ownerId, _id: ownerId, version },
        { $set: settings, $inc: { version: 1 } },
      );
    else await InvoiceSettingsModel.create([{ ...settings, _id: ownerId, ownerId, version: 1 }]);
  });
  return getInvoiceSettings(scope);
}
