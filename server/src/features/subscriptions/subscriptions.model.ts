import mongoose, { type InferSchemaType, Schema } from "mongoose";

const priceSchema = new Schema(
  { id: { type: String, required: true }, unit_amount: Number, currency: String, interval: String },
  { _id: false, id: false },
);

const subscriptionSchema = new Schema(
  {
    id: { type: String, required: true },
    status: { type: String, required: true },
    price: { type: priceSchema, required: true },
    current_period_end: Date,
    cancel_at_period_end: Boolean,
    trial_end: Date,
    // A manual one with an end was given until then; without, for good.
    source: { type: String, required: true, enum: ["stripe", "manual"], default: "stripe" },
  },
  { _id: false, id: false },
);

// Keyed by the owner's user id.
const customerSchema = new Schema(
  {
    _id: { type: String, required: true },
    stripe_customer_id: String,
    stripe_account_id: String,
    // The plan of the last price that had one: any other price leaves it unchanged.
    last_plan: String,
    subscriptions: { type: [subscriptionSchema], required: true },
    // Counts the mirrors of the provider's state, so that an older reading never replaces a newer one.
    revision: { type: Number, required: true, default: 0 },
  },
  { collection: "customers", versionKey: false },
);
// Set here, because in the options it would loosen the type of every field.
customerSchema.set("timestamps", { createdAt: "created_at", updatedAt: "updated_at" });
customerSchema.index({ stripe_customer_id: 1 }, { unique: true, sparse: true });
customerSchema.index({ stripe_account_id: 1 }, { unique: true, sparse: true });

export const CustomerModel = mongoose.model("Customer", customerSchema);
export type CustomerDoc = Pick<InferSchemaType<typeof customerSchema>, "_id" | "last_plan" | "subscriptions">;
