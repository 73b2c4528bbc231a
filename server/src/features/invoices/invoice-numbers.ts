// Numbers without a gap: one is given in the transaction that issues, and given back where that does not hold.
import { creditNoteNumber, invoiceNumber } from "@app/shared/invoices";
import { assertInTransaction } from "../../core/database.ts";
import { InvoiceSettingsModel, type InvoiceSettingsDoc } from "./invoices.model.ts";

export const nextInvoiceNumber = async (ownerId: string): Promise<string> => {
  const { prefix, nextNumber } = await countOn(ownerId, "nextNumber");
  return invoiceNumber(prefix, nextNumber);
};

export const nextCreditNoteNumber = async (ownerId: string): Promise<string> =>
  creditNoteNumber((await countOn(ownerId, "nextCreditNumber")).nextCreditNumber);

/** The settings with the number that is given now. */
async function countOn(
  ownerId: string,
  counter: "nextNumber" | "nextCreditNumber",
): Promise<Pick<InvoiceSettingsDoc, "prefix" | "nextNumber" | "nextCreditNumber">> {
  assertInTransaction();
  const before = await InvoiceSettingsModel.findOneAndUpdate(
    { ownerId, _id: ownerId },
    { $inc: { [counter]: 1 } },
    { returnDocument: "before", lean: true },
  );
  if (before) return before;
  await InvoiceSettingsModel.create([{ _id: ownerId, ownerId, [counter]: 2 }]);
  return { prefix: "", nextNumber: 1, nextCreditNumber: 1 };
}
