// Practices that somebody began to register, and the links that were mailed to prove the mailbox.
import mongoose, { Schema } from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { DAY_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** So long a link works, and what was entered waits for it. */
export const REGISTRATION_LINK_MS = DAY_MS;

/** The mailbox that a registration is for, as it is stored. */
export const accountOf = (email: string): string => keyedHash(`account:${mailboxKey(email)}`);

export interface RegistrationDoc {
  _id: string;
  /** The mailbox, hashed: so many may wait for one. */
  account: string;
  /** From where it was asked for, hashed. */
  requester: string;
  /** Of the browser in which it was entered, hashed: nobody else is shown it. */
  browser?: string;
  /** What was entered: no password, which is for whoever holds the link to choose. */
  entered_enc: string;
  expires_at: Date;
}

const registrationSchema = new Schema<RegistrationDoc>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    requester: { type: String, required: true },
    browser: String,
    entered_enc: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "registrations", versionKey: false },
);
registrationSchema.index({ account: 1, requester: 1, expires_at: -1 });
registrationSchema.index({ account: 1, browser: 1, expires_at: -1 });
registrationSchema.index({ expires_at: 1, _id: 1 });
defineRemoval({ of: "registrations", keptMs: 0, remove: removeFrom("registrations", "expires_at") });

export const RegistrationModel = mongoose.model("Registration", registrationSchema);

defineDueTime({
  of: "registrations",
  times: ["Registration.expires_at"],
  aheadMs: REGISTRATION_LINK_MS,
  bringBack: (latest, at) =>
    RegistrationModel.updateMany({ expires_at: mongoose.trusted({ $gt: latest }) }, { $set: { expires_at: at } }),
});

export const registrationPlace = (id: string) => `registrations:${id}:entered`;
defineSealedField({ collection: "registrations", path: "entered_enc", placeOf: ({ _id }) => registrationPlace(_id) });

export interface RegistrationLinkDoc {
  /** The token, hashed. */
  _id: string;
  /** The mailbox, hashed. */
  account: string;
  /** The address that it was mailed to, and that its holder proves. */
  email_enc: string;
  expires_at: Date;
}

const registrationLinkSchema = new Schema<RegistrationLinkDoc>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    email_enc: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "registration_links", versionKey: false },
);
registrationLinkSchema.index({ account: 1, expires_at: 1 });
registrationLinkSchema.index({ expires_at: 1, _id: 1 });
defineRemoval({ of: "registration links", keptMs: 0, remove: removeFrom("registration_links", "expires_at") });

export const RegistrationLinkModel = mongoose.model("RegistrationLink", registrationLinkSchema);

defineDueTime({
  of: "links to register",
  times: ["RegistrationLink.expires_at"],
  aheadMs: REGISTRATION_LINK_MS,
  bringBack: (latest, at) =>
    RegistrationLinkModel.updateMany({ expires_at: mongoose.trusted({ $gt: latest }) }, { $set: { expires_at: at } }),
});

definePublicToken({ collection: "registration_links", path: "_id" });

export const registrationLinkPlace = (tokenHash: string) => `registration_links:${tokenHash}:email`;
defineSealedField({
  collection: "registration_links",
  path: "email_enc",
  placeOf: ({ _id }) => registrationLinkPlace(_id),
});
