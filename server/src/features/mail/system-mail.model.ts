import mongoose, { type InferSchemaType, Schema } from "mongoose";
import { SYSTEM_MAIL_STATES } from "@app/shared/mail";
import { DAY_MS } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";

const KEPT_MS = 30 * DAY_MS;

const systemMailSchema = new Schema(
  {
    _id: { type: String, default: newId },
    // Whose outbox shows it; none for reports to the support address.
    owner_id: String,
    // Who made the link in it and so may see it; otherwise it is for its addressee alone.
    link_made_by: String,
    // Whose mailbox carries it first; absent where none may.
    by_mailbox_of: String,
    // Leaves first by the fallback service's way for forms; absent for most.
    is_of_form: Boolean,
    to: { type: String, required: true },
    subject: { type: String, required: true },
    // One per mail for all tries, so that a repeated delivery can be recognised.
    message_id: { type: String, required: true },
    state: { type: String, required: true, enum: SYSTEM_MAIL_STATES },
    attempts: { type: Number, required: true, default: 0 },
    // When to try next.
    due_at: { type: Date, required: true },
    // Who is sending it, while it is being sent.
    heldBy: { type: String, default: "" },
    reason: { type: String, default: "" },
    created_at: { type: Date, required: true },
  },
  { collection: "system_mails", versionKey: false },
);
systemMailSchema.index({ state: 1, due_at: 1 });
systemMailSchema.index({ owner_id: 1, state: 1, created_at: -1 });
systemMailSchema.index({ message_id: 1 });
systemMailSchema.index({ created_at: 1, _id: 1 });

export const SystemMailModel = mongoose.model("SystemMail", systemMailSchema);
// What somebody has to pass on, because it could not be sent, waits for them whatever its age.
defineRemoval({
  of: "system mails",
  keptMs: KEPT_MS,
  remove: removeFrom("system_mails", "created_at", {
    $or: [{ state: "sent" }, { link_made_by: { $exists: false } }],
  }),
});
export type SystemMailDoc = InferSchemaType<typeof systemMailSchema>;

// Apart from the mail, because links in it must be gone long before the record of it.
const bodySchema = new Schema(
  {
    _id: { type: String, required: true },
    text_enc: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "system_mail_bodies", versionKey: false },
);
bodySchema.index({ expires_at: 1, _id: 1 });
defineRemoval({ of: "texts of system mails", keptMs: 0, remove: removeFrom("system_mail_bodies", "expires_at") });

export const SystemMailBodyModel = mongoose.model("SystemMailBody", bodySchema);
