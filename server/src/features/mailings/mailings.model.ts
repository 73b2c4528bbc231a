import mongoose, { Schema } from "mongoose";
import { ITEM_STATES, type ItemState, type MailingState } from "@app/shared/mailing-states";
import type { MailingCounts } from "@app/shared/mailings";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { type SaidToBounce, saidToBounceSchema } from "../mail/said-to-bounce.service.ts";

export interface MailingDoc {
  _id: string;
  ownerId: string;
  subject: string;
  /** The body in the editor's JSON, encrypted. */
  bodyEnc: string;
  perMinute: number;
  state: MailingState;
  reason: string;
  /** Who works on it; empty where nobody does. */
  heldBy: string;
  /** Rises when somebody starts, pauses or cancels it: whoever worked on it before stops. */
  round: number;
  /** Its recipients are still being stored; then nobody sees it, and it goes where whoever stores them is gone. */
  isFilling?: boolean;
  /** Those that failed wait again; absent where that is not asked for, or was done. */
  isRetrying?: boolean;
  /** After which recipient the history is still to tell of it; absent where it does not, or has told of all. */
  untoldAfter?: string | null;
  /** When to go on with those who have to wait; over where there are none. */
  dueAt: Date;
  createdBy: string;
  createdByName: string;
  /** As whom it is sent, with what they may do at that moment; nobody before it is started. */
  startedBy?: string;
  createdAt: Date;
  endedAt: Date | null;
  /** How many recipients are in which state; null while mails leave, and where they are to be counted anew. */
  counts: MailingCounts | null;
  /** Rises with whatever makes them wrong; none in a mailing from before they were kept. */
  countsRevision?: number | null;
}

/** One that is on its way has no outcome yet: what people are told of it is for `shownAs`. */
export type StoredState = ItemState | "leaving";

export interface MailingItemDoc {
  _id: string;
  ownerId: string;
  mailingId: string;
  /** In lower case: one mail per address. */
  address: string;
  name: string;
  clientId: string | null;
  /** Of an address of a list: whose it was then, as the outgoing gate knows them; absent where it was nobody's. */
  people?: string[];
  state: StoredState;
  reason: string;
  /** It was on its way when its process died. */
  isLeaving: boolean;
  /** It was sent again after that, and may have arrived before; absent where it was not. */
  isPerhapsTwice?: boolean;
  /** Who has it on its way: as they hold the mailing. */
  claimedBy?: string;
  attempts: number;
  dueAt: Date;
  /** One for all tries, so that a repeated delivery can be recognised. */
  messageId: string;
  /** Lets whoever has the mail stop further ones, and nothing else. */
  unsubscribeToken: string;
  sentAt: Date | null;
  /** A report that nothing proves says that it came back; absent in mails of before. */
  saidToBounce?: SaidToBounce | null;
}

const required = { type: String, required: true };
const text = { type: String, default: "" };

const number = { type: Number, required: true };
const countsMongooseSchema = new Schema<MailingCounts>(
  {
    ...Object.fromEntries(ITEM_STATES.map((state) => [state, number])),
    total: number,
    perhapsTwice: { type: Number, default: 0 },
  },
  { _id: false },
);

const mailingMongooseSchema = new Schema<MailingDoc>(
  {
    _id: { type: String, default: newId },
    subject: required,
    bodyEnc: required,
    perMinute: { type: Number, required: true },
    state: required,
    reason: text,
    heldBy: text,
    round: { type: Number, default: 0 },
    isFilling: Boolean,
    isRetrying: Boolean,
    untoldAfter: String,
    dueAt: { type: Date, required: true },
    createdBy: required,
    createdByName: required,
    startedBy: String,
    createdAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
    counts: { type: countsMongooseSchema, default: null },
    countsRevision: { type: Number, default: 0 },
  },
  { collection: "mailings", versionKey: false },
);
mailingMongooseSchema.plugin(owned);
mailingMongooseSchema.index({ ownerId: 1, createdAt: -1, _id: -1 });
mailingMongooseSchema.index({ state: 1, dueAt: 1 });
mailingMongooseSchema.index({ isFilling: 1 });
export const MailingModel = mongoose.model("Mailing", mailingMongooseSchema);

/** The mailing as long as nobody else took it, and nobody stopped it, since it was read. */
export const asHeld = ({ ownerId, _id, heldBy, round }: MailingDoc) => ({
  ownerId,
  _id,
  heldBy,
  round,
  state: "sending" as const,
});

const itemMongooseSchema = new Schema<MailingItemDoc>(
  {
    _id: { type: String, default: newId },
    mailingId: required,
    address: text,
    name: text,
    clientId: { type: String, default: null },
    people: { type: [String], default: undefined },
    state: required,
    reason: text,
    isLeaving: { type: Boolean, default: false },
    isPerhapsTwice: Boolean,
    claimedBy: text,
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, required: true },
    messageId: required,
    unsubscribeToken: required,
    sentAt: { type: Date, default: null },
    saidToBounce: { type: saidToBounceSchema, default: null },
  },
  { collection: "mailing_items", versionKey: false },
);
itemMongooseSchema.plugin(owned);
itemMongooseSchema.index({ ownerId: 1, mailingId: 1, state: 1, _id: 1 });
itemMongooseSchema.index({ ownerId: 1, mailingId: 1, state: 1, dueAt: 1 });
itemMongooseSchema.index({ ownerId: 1, mailingId: 1, isPerhapsTwice: 1 });
itemMongooseSchema.index({ ownerId: 1, people: 1 });
itemMongooseSchema.index({ unsubscribeToken: 1 }, { unique: true });
export const MailingItemModel = mongoose.model("MailingItem", itemMongooseSchema);
