import mongoose, { type InferSchemaType, Schema } from "mongoose";
import { defineRemoval, removeFrom } from "../../core/removals.ts";

const authSessionSchema = new Schema(
  {
    // SHA-256 of the id in the cookie: whoever reads the database cannot sign in with it.
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    owner_id: { type: String, required: true },
    expires_at: { type: Date, required: true },
    signed_in_at: { type: Date, required: true },
    // Signing in counts, and so does each confirmation after it. None in sign-ins from before this was kept.
    confirmed_at: Date,
    last_seen_at: { type: Date, required: true },
    is_remembered: { type: Boolean, required: true },
    is_second_factor_pending: { type: Boolean, required: true },
    sign_in_epoch: { type: Number, required: true },
    ip: { type: String, default: "" },
    user_agent: { type: String, default: "" },
  },
  { collection: "auth_sessions", versionKey: false },
);
authSessionSchema.index({ user_id: 1, last_seen_at: -1 });
authSessionSchema.index({ expires_at: 1, _id: 1 });
defineRemoval({ of: "sign-ins", keptMs: 0, remove: removeFrom("auth_sessions", "expires_at") });

export const AuthSessionModel = mongoose.model("AuthSession", authSessionSchema);
export type AuthSessionDoc = InferSchemaType<typeof authSessionSchema>;
