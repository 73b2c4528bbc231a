import type { PaymentAccountState } from "@app/shared/payment-accounts";
import mongoose from "mongoose";

/** What the provider said last of a practice's account, by owner. */
export interface PaymentAccountDoc {
  _id: string;
  state: PaymentAccountState;
  name: string;
  checkedAt: Date;
  /** How many accounts were let go: the next one is another. */
  letGo: number;
}

const paymentAccountMongooseSchema = new mongoose.Schema<PaymentAccountDoc>(
  {
    _id: { type: String, required: true },
    state: { type: String, required: true },
    name: { type: String, default: "" },
    checkedAt: { type: Date, required: true },
    letGo: { type: Number, default: 0 },
  },
  { collection: "payment_accounts", versionKey: false },
);

export const PaymentAccountModel = mongoose.model("PaymentAccount", paymentAccountMongooseSchema);
