// Practices that somebody asked for and did not yet confirm by the link that was mailed to them.
import mongoose, { Schema } from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { DAY_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** So long a registration waits for its link to be followed. */
export const REGISTRATION_LINK_MS = DAY_MS;

/** The mailbox that a registration is for, as it is stored. */
export const accountOf = (email: string): string => keyedHash(`account:${mailboxKey(email)}`);

export interface RegistrationDoc {
  _id: string;
  /** The mailbox, hashed: so many may wait for one. */
  account: string;
  /** From where it was asked for, hashed. */
  requester: string;
  /** None until the link is mailed. */
  token_hash?: string;
  /** What was entered: no password, which is for whoever holds the link to choose. */
  entered_enc: string;
  expires_at: Date;
}

const registrationSchema = new Schema<RegistrationDoc>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    requester: { type: String, required: true },
    token_hash: String,
    entered_enc: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "registrations", versionKey: false },
);
registrationSchema.index({ account: 1, requester: 1, expires_at: -1 });
registrationSchema.index({ token_hash: 1 }, { unique: true, sparse: true });
registrationSchema.index({ expires_at: 1, _id: 1 });
defineRemoval({ of: "registrations", keptMs: 0, remove: removeFrom("registrations", "expires_at") });

export const RegistrationModel = mongoose.model("Registration", registrationSchema);

export const registrationPlace = (id: string) => `registrations:${id}:entered`;
defineSealedField({ collection: "registrations", path: "entered_enc", placeOf: ({ _id }) => registrationPlace(_id) });
