import mongoose from "mongoose";

const clientCountMongooseSchema = new mongoose.Schema(
  {
    _id: { type: String, required: true },
    active: { type: Number, default: 0 },
    archived: { type: Number, default: 0 },
  },
  { collection: "client_counts", versionKey: false },
);

/**
 * How many clients a practice has, keyed by owner id and changed in the transaction that changes the clients, so that
 * the list shows its total without counting a hundred thousand rows.
 */
export const ClientCountModel = mongoose.model("ClientCount", clientCountMongooseSchema);
