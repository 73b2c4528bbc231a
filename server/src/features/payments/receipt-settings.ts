// Whether receipts of what is paid by card go by themselves: as the practice chose, and not before it did.
import type { PaymentMethod } from "@app/shared/payment-methods";
import type { ReceiptSettings } from "@app/shared/payments";
import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";
import type { Scope } from "../../core/trpc.ts";
import type { PaymentDoc } from "./payments.model.ts";

interface ReceiptSettingsDoc extends ReceiptSettings {
  /** The practice. */
  _id: string;
  ownerId: string;
}

const receiptSettingsMongooseSchema = new mongoose.Schema<ReceiptSettingsDoc>(
  { _id: { type: String, required: true }, isSentByItself: { type: Boolean, required: true } },
  { collection: "receipt_settings", versionKey: false },
);
receiptSettingsMongooseSchema.plugin(owned);
const ReceiptSettingsModel = mongoose.model("ReceiptSettings", receiptSettingsMongooseSchema);

/** What somebody at a desk took gets its receipt from them. */
const BY_LINK: readonly PaymentMethod[] = ["card", "bank_debit"];

const settingsOf = async (ownerId: string): Promise<ReceiptSettings> => ({
  isSentByItself: (await ReceiptSettingsModel.findOne({ ownerId, _id: ownerId }).lean())?.isSentByItself ?? false,
});

export const getReceiptSettings = ({ ownerId }: Scope): Promise<ReceiptSettings> => settingsOf(ownerId);

export async function setReceiptSettings(
  { ownerId }: Scope,
  { isSentByItself }: ReceiptSettings,
): Promise<ReceiptSettings> {
  await ReceiptSettingsModel.updateOne({ ownerId, _id: ownerId }, { $set: { isSentByItself } }, { upsert: true });
  return settingsOf(ownerId);
}

/** Asked when the money comes. */
export const goesByItself = async ({ ownerId, method }: Pick<PaymentDoc, "ownerId" | "method">): Promise<boolean> =>
  BY_LINK.includes(method) && (await settingsOf(ownerId)).isSentByItself;
