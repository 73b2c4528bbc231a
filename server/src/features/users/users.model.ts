import mongoose, { type InferSchemaType, Schema } from "mongoose";
import {
  profileChangeSchema,
  roleSchema,
  type StaffUser,
  staffStatusSchema,
  permissionSchema,
} from "@app/shared/users";
import { mayBeGranted } from "@app/shared/access";
import { mayMediate } from "@app/shared/team-access";
import { newId } from "../../core/ids.ts";
import { definePublicToken } from "../../core/public-tokens.ts";

const KNOWN_DEVICES_MAX = 10;
const PROFILE_CHANGES_MAX = 100;

const resetSchema = new Schema(
  { token_hash: { type: String, required: true }, expires_at: { type: Date, required: true } },
  { _id: false },
);

const userSchema = new Schema(
  {
    _id: { type: String, default: newId },
    role: { type: Number, required: true },
    mediator_type: { type: String, required: true },
    region: { type: String, required: true },
    email_address: { type: String, required: true },
    first_name: { type: String, required: true },
    last_name: { type: String, required: true },
    // Staff users only: an owner has none.
    owner_id: String,
    emailConnection: {
      type: new Schema(
        {
          connected: Boolean,
          active: Boolean,
          serviceType: String,
          email: String,
          // The names by which its servers know it, which may be other addresses.
          logins: { type: [String], default: undefined },
          // The last time that its servers were named; absent in connections of before.
          connectedAt: Date,
        },
        { _id: false },
      ),
    },
    // What colleagues may do with that mailbox; where it is missing, what `mailboxSharingOf` says.
    mailbox_sharing: {
      type: new Schema({ may_send: Boolean, may_read: Boolean }, { _id: false }),
    },
    status: { type: String, required: true, enum: staffStatusSchema.options },
    // When somebody who is suspended was; missing in those from before it was kept.
    suspended_at: Date,
    // From when to when somebody was who works here again.
    absences: [{ _id: false, from: { type: Date, required: true }, to: { type: Date, required: true } }],
    permissions: { type: [String], required: true },
    password_hash: String,
    totp: {
      type: new Schema(
        {
          is_on: { type: Boolean, required: true },
          secret_enc: String,
          pending_secret_enc: String,
          // The time step of the code used last: a code works once.
          last_step: { type: Number, required: true },
          recovery_hashes: { type: [String], required: true },
        },
        { _id: false },
      ),
    },
    invitation: {
      type: new Schema(
        {
          token_hash: { type: String, required: true },
          expires_at: { type: Date, required: true },
          invited_at: { type: Date, required: true },
          /** The mail that it went by; none where it is from before that was kept. */
          mail_id: String,
        },
        { _id: false },
      ),
    },
    // One until several could be open; it still works for its hour.
    password_reset: { type: resetSchema },
    password_resets: { type: [resetSchema], default: undefined },
    accreditation: {
      type: new Schema(
        {
          fmca: { type: Boolean, required: true },
          urn: { type: String, default: "" },
          // When the owner confirmed this number; another one is not confirmed along with it.
          confirmed_at: Date,
          // The child-inclusive registration, and when the owner confirmed it under this number.
          child_inclusive: Boolean,
          child_inclusive_confirmed_at: Date,
        },
        { _id: false },
      ),
    },
    // What this person changed of how they are named, the newest last.
    profile_changes: {
      type: [
        new Schema(
          { at: { type: Date, required: true }, what: { type: String, required: true }, from: String, to: String },
          { _id: false },
        ),
      ],
      default: undefined,
    },
    known_devices: { type: [String], required: true },
    // Those in which a mailed link for a new password was used: they are the person's for all but codes.
    link_devices: { type: [String], default: undefined },
    // Sign-ins of an earlier epoch are over, even where their end was interrupted or they were under way.
    sign_in_epoch: { type: Number, required: true, default: 0 },
    last_seen_at: Date,
    version: { type: Number, required: true, default: 0 },
  },
  { collection: "users", versionKey: false },
);
// Set here, because in the options it would loosen the type of every field.
userSchema.set("timestamps", { createdAt: "created_at", updatedAt: "updated_at" });

// An address is somebody's once they chose a password for it: whoever is only invited keeps nobody else from it.
userSchema.index(
  { email_address: 1 },
  { name: "address_of_account", unique: true, partialFilterExpression: { password_hash: { $exists: true } } },
);
userSchema.index({ owner_id: 1, created_at: 1 });
userSchema.index({ "invitation.token_hash": 1 }, { unique: true, sparse: true });
userSchema.index({ "password_reset.token_hash": 1 }, { unique: true, sparse: true });
userSchema.index({ "password_resets.token_hash": 1 }, { unique: true, sparse: true });
for (const path of ["invitation.token_hash", "password_reset.token_hash", "password_resets.token_hash"])
  definePublicToken({ collection: "users", path });
// What is open now is looked for whenever somebody reads a colleague's mailbox.
for (const link of ["invitation", "password_reset", "password_resets"])
  userSchema.index({ [`${link}.expires_at`]: 1 }, { sparse: true });

export const UserModel = mongoose.model("User", userSchema);
export type UserDoc = InferSchemaType<typeof userSchema>;

/** Those who accepted, in the words of the index: an invitation is no account. */
export const isAccount = () => ({ password_hash: mongoose.trusted({ $exists: true }) });

export type DeviceList = "known_devices" | "link_devices";

/** Remembers a device at the end of a list and forgets those not used for longest. */
export const pushDevice = (list: DeviceList, deviceHash: string) => ({
  [list]: { $each: [deviceHash], $slice: -KNOWN_DEVICES_MAX },
});

export interface ProfileChange {
  at: Date;
  what: "name" | "accreditation";
  from: string;
  to: string;
}

export const pushProfileChanges = (changes: readonly ProfileChange[]) => ({
  profile_changes: { $each: [...changes], $slice: -PROFILE_CHANGES_MAX },
});

type Accredited = Pick<UserDoc, "role" | "accreditation">;

/** With a role that does not mediate it rests. */
export const isAccredited = ({ role, accreditation }: Accredited): boolean =>
  mayMediate(roleSchema.parse(role)) && (accreditation?.fmca ?? false);

/** Accredited with a number that the practice's owner confirmed: an authorised family mediator (FPR 3.2). */
export const isAuthorised = (doc: Accredited): boolean =>
  isAccredited(doc) && Boolean(doc.accreditation?.urn) && Boolean(doc.accreditation?.confirmed_at);

export const claimsChildInclusive = ({ role, accreditation }: Accredited): boolean =>
  mayMediate(roleSchema.parse(role)) && (accreditation?.child_inclusive ?? false);

/** Registered to see children in mediation, as the practice's owner confirmed. */
export const isChildInclusive = (doc: Accredited): boolean =>
  claimsChildInclusive(doc) && Boolean(doc.accreditation?.child_inclusive_confirmed_at);

export function toStaffUser(doc: UserDoc): StaffUser {
  return {
    id: doc._id,
    firstName: doc.first_name,
    lastName: doc.last_name,
    email: doc.email_address,
    role: roleSchema.parse(doc.role),
    permissions: permissionSchema
      .array()
      .parse(doc.permissions)
      .filter((permission) => mayBeGranted(roleSchema.parse(doc.role), permission)),
    status: staffStatusSchema.parse(doc.status),
    isTwoFactorOn: doc.totp?.is_on ?? false,
    invitedAt: doc.invitation?.invited_at.toISOString() ?? null,
    lastSeenAt: doc.last_seen_at?.toISOString() ?? null,
    profileChanges: (doc.profile_changes ?? [])
      .map(({ at, what, from, to }) => profileChangeSchema.parse({ at: at.toISOString(), what, from, to }))
      .toReversed(),
    isAccredited: isAccredited(doc),
    accreditationNumber: doc.accreditation?.urn ?? "",
    accreditationConfirmedAt: doc.accreditation?.confirmed_at?.toISOString() ?? null,
    isChildInclusive: claimsChildInclusive(doc),
    childInclusiveConfirmedAt: doc.accreditation?.child_inclusive_confirmed_at?.toISOString() ?? null,
    version: doc.version,
  };
}
