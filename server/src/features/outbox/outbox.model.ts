import mongoose from "mongoose";
import type { CaseMail } from "@app/shared/mail";
import { SEND_METHODS, type SendMethod } from "@app/shared/mail-payload";
import { MINUTE_MS } from "../../core/clock.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { type SaidToBounce, saidToBounceSchema } from "../mail/said-to-bounce.service.ts";

export interface OutboxDoc {
  _id: string;
  ownerId: string;
  caseId: string | null;
  partyId: string | null;
  /** On whose page it stands. */
  clientId: string | null;
  /** The meeting that somebody booked from outside, of which it tells them; absent in mails of before. */
  visitId?: string | null;
  /** Whose addresses of contacts it was to go to, as they were when it was written. */
  contactIds: string[];
  purpose: CaseMail["purpose"];
  /** One per mail for all tries, so that a repeated delivery can be recognised. */
  messageId: string;
  state: CaseMail["state"];
  attempts: number;
  /** When to try next. */
  dueAt: Date;
  /** Who is sending it, while it is being sent. */
  heldBy: string;
  /** When its writer wants it to leave; null for at once. */
  scheduledFor: Date | null;
  reason: string;
  /** Who carried it; null while nobody has. */
  method: SendMethod | null;
  isFallbackUsed: boolean;
  /** What a person should know of a mail that left: no copy in Sent, something left out. */
  warnings: string[];
  /** Address, subject, text and attachments, encrypted. */
  contentEnc: string;
  /** By whose mailbox it leaves. */
  createdBy: string;
  /** Who wrote it, where that is somebody else: what they may do decides too. */
  writtenBy?: string;
  createdAt: Date;
  sentAt: Date | null;
  /** A process ended while it was sending it, and nobody knows yet what became of it; absent in mails of before. */
  mayHaveLeft?: boolean;
  /** The mail server took it, and whoever handed it over noted no more since; absent in mails of before. */
  taken?: { at: Date; warnings: string[] } | null;
  /** A report that nothing proves says that it came back; absent in mails of before. */
  saidToBounce?: SaidToBounce | null;
}

const required = { type: String, required: true };
const link = { type: String, default: null };
const takenSchema = new mongoose.Schema(
  { at: { type: Date, required: true }, warnings: { type: [String], required: true } },
  { _id: false },
);

const outboxMongooseSchema = new mongoose.Schema<OutboxDoc>(
  {
    _id: { type: String, default: newId },
    caseId: link,
    partyId: link,
    clientId: link,
    visitId: link,
    contactIds: [String],
    purpose: required,
    messageId: required,
    state: required,
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, required: true },
    heldBy: { type: String, default: "" },
    scheduledFor: { type: Date, default: null },
    reason: { type: String, default: "" },
    method: { type: String, enum: [...SEND_METHODS, null], default: null },
    isFallbackUsed: { type: Boolean, default: false },
    warnings: { type: [String], default: [] },
    contentEnc: required,
    createdBy: required,
    writtenBy: String,
    createdAt: { type: Date, required: true },
    sentAt: { type: Date, default: null },
    mayHaveLeft: { type: Boolean, default: false },
    taken: { type: takenSchema, default: null },
    saidToBounce: { type: saidToBounceSchema, default: null },
  },
  { collection: "email_messages", versionKey: false },
);
outboxMongooseSchema.plugin(owned);
outboxMongooseSchema.index({ state: 1, dueAt: 1 });
outboxMongooseSchema.index({ ownerId: 1, state: 1 });
outboxMongooseSchema.index({ ownerId: 1, messageId: 1 });
outboxMongooseSchema.index({ ownerId: 1, clientId: 1, createdAt: -1, _id: -1 });
outboxMongooseSchema.index({ ownerId: 1, contactIds: 1 });

export const OutboxModel = mongoose.model("OutboxMail", outboxMongooseSchema);

/** The longest that a mail which failed waits for its next try. */
export const LATER_MAX_MS = 60 * MINUTE_MS;

defineDueTime({
  of: "case mail",
  times: ["OutboxMail.dueAt"],
  aheadMs: LATER_MAX_MS,
  bringBack: (latest, at) =>
    OutboxModel.updateMany(
      {
        state: "queued",
        dueAt: mongoose.trusted({ $gt: latest }),
        // Not those that somebody wants to leave later.
        $or: [{ scheduledFor: null }, { scheduledFor: mongoose.trusted({ $lte: at }) }],
      },
      { $set: { dueAt: at } },
    ).setOptions({ anyOwner: true }),
});
