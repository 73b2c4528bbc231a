import { foldEmail } from "@app/shared/email-address";
import mongoose from "mongoose";
import { DEFAULT_PERMISSIONS, ROLES } from "@app/shared/access";
import type { MediatorType, Region } from "@app/shared/regions";
import { HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueTime, openFor } from "../../core/due-times.ts";
import { type DeviceList, isAccount, pushDevice, UserModel } from "./users.model.ts";

/** What a sign-in is judged by. */
export interface SignInUser {
  id: string;
  ownerId: string;
  email: string;
  passwordHash: string | null;
  isActive: boolean;
  isTwoFactorOn: boolean;
  knownDevices: string[];
  /** In which a link for a new password was used. */
  linkDevices: string[];
  /** Goes into the sign-in: one of an earlier epoch does not count. */
  epoch: number;
}

/** An account of before may keep a spelling that is not the one form of its address: whoever types it means that one. */
async function spellingOf(email: string): Promise<string> {
  const asEntered = mongoose.trusted({ $in: [email.trim(), email.trim().toLowerCase()] });
  const kept = await UserModel.findOne({ email_address: asEntered, ...isAccount() }, { email_address: 1 }).lean();
  return kept?.email_address ?? foldEmail(email);
}

/** Somebody who has an account; by their address, nobody who is only invited. */
export async function findSignInUser(by: { email: string } | { id: string }): Promise<SignInUser | null> {
  const filter = "id" in by ? { _id: by.id } : { email_address: await spellingOf(by.email), ...isAccount() };
  const doc = await UserModel.findOne(filter, {
    owner_id: 1,
    email_address: 1,
    password_hash: 1,
    status: 1,
    totp: 1,
    known_devices: 1,
    link_devices: 1,
    sign_in_epoch: 1,
  }).lean();
  if (!doc) return null;
  return {
    id: doc._id,
    ownerId: doc.owner_id ?? doc._id,
    email: doc.email_address,
    passwordHash: doc.password_hash ?? null,
    isActive: doc.status === "active",
    isTwoFactorOn: doc.totp?.is_on ?? false,
    knownDevices: doc.known_devices,
    linkDevices: doc.link_devices ?? [],
    epoch: doc.sign_in_epoch,
  };
}

interface NewOwner {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  region: Region;
  mediatorType: MediatorType;
  passwordHash: string;
}

/** The unique index on the address refuses a second account. */
export async function insertOwner(owner: NewOwner): Promise<void> {
  await UserModel.create([
    {
      _id: owner.id,
      role: ROLES.owner,
      email_address: foldEmail(owner.email),
      first_name: owner.firstName,
      last_name: owner.lastName,
      region: owner.region,
      mediator_type: owner.mediatorType,
      password_hash: owner.passwordHash,
      status: "active",
      permissions: [...DEFAULT_PERMISSIONS[ROLES.owner]],
      known_devices: [],
    },
  ]);
}

/** Those used last are known longest. */
export async function rememberDevice(list: DeviceList, userId: string, deviceHash: string): Promise<void> {
  // In two steps, because one cannot both take a device from its place and put it at the end.
  await inTransaction(async () => {
    await UserModel.updateOne({ _id: userId }, { $pull: { [list]: deviceHash } }, { timestamps: false });
    await UserModel.updateOne({ _id: userId }, { $push: pushDevice(list, deviceHash) }, { timestamps: false });
  });
}

/**
 * A new password also ends every way that the old one opened: sign-ins and links under way. Devices stay known: that
 * opens nothing, it only counts their guesses apart from those of unknown devices, each at most some hundred a day. So the
 * person's own browsers are heard after a reset, and an intruder's among them guess a new password no better than from
 * a network of their own.
 */
const newPassword = (passwordHash: string) => ({
  $set: { password_hash: passwordHash },
  $unset: { password_reset: 1, password_resets: 1 },
  $inc: { sign_in_epoch: 1 },
});

/** Only over the password it was checked against: of two changes at once, one wins. Gives the new epoch, or null. */
export async function replacePassword(userId: string, oldHash: string, passwordHash: string): Promise<number | null> {
  const doc = await UserModel.findOneAndUpdate({ _id: userId, password_hash: oldHash }, newPassword(passwordHash), {
    returnDocument: "after",
    projection: { sign_in_epoch: 1 },
    lean: true,
  });
  return doc?.sign_in_epoch ?? null;
}

/** So long a link for a new password works. */
export const RESET_LINK_MS = HOUR_MS;

/**
 * Adds a link to those that are open: an earlier one that is on its way stays good, so that nobody who asks for another
 * ends it. How many there can be is for whoever asks to bound. Null where nobody with this address can sign in.
 */
export async function addPasswordReset(email: string, tokenHash: string) {
  const person = { email_address: await spellingOf(email), ...isAccount(), status: "active" as const };
  const over = mongoose.trusted({ $lte: now() });
  const expiresAt = new Date(now().getTime() + RESET_LINK_MS);
  await UserModel.updateOne(person, { $pull: { password_resets: { expires_at: over } } }, { timestamps: false });
  const doc = await UserModel.findOneAndUpdate(
    person,
    { $push: { password_resets: { token_hash: tokenHash, expires_at: expiresAt } } },
    { returnDocument: "after", projection: { email_address: 1, first_name: 1, owner_id: 1 }, lean: true },
  );
  if (!doc) return null;
  return { id: doc._id, ownerId: doc.owner_id ?? doc._id, email: doc.email_address, firstName: doc.first_name };
}

const openReset = (tokenHash: string) => {
  const link = { token_hash: tokenHash, expires_at: openFor(RESET_LINK_MS) };
  const isOpen = mongoose.trusted({ $elemMatch: link });
  return {
    status: "active" as const,
    $or: [
      { password_resets: isOpen },
      { "password_reset.token_hash": tokenHash, "password_reset.expires_at": link.expires_at },
    ],
  };
};

defineDueTime({
  of: "links for a new password",
  times: ["User.password_resets.expires_at"],
  aheadMs: RESET_LINK_MS,
  bringBack: (latest, at) =>
    UserModel.updateMany(
      { "password_resets.expires_at": mongoose.trusted({ $gt: latest }) },
      { $set: { "password_resets.$[link].expires_at": at } },
      { arrayFilters: [{ "link.expires_at": { $gt: latest } }], timestamps: false },
    ),
});
defineDueTime({
  of: "links for a new password of before",
  times: ["User.password_reset.expires_at"],
  aheadMs: RESET_LINK_MS,
  bringBack: (latest) =>
    UserModel.updateMany(
      { "password_reset.expires_at": mongoose.trusted({ $gt: latest }) },
      { $unset: { password_reset: 1 } },
      { timestamps: false },
    ),
});

export async function findPasswordReset(tokenHash: string): Promise<{ email: string; name: string } | null> {
  const doc = await UserModel.findOne(openReset(tokenHash), { email_address: 1, first_name: 1, last_name: 1 }).lean();
  return doc && { email: doc.email_address, name: `${doc.first_name} ${doc.last_name}` };
}

/** Takes the link and sets the password in one step, so that a link works once. Null where it does not work. */
export async function spendPasswordReset(tokenHash: string, passwordHash: string): Promise<{ id: string } | null> {
  const doc = await UserModel.findOneAndUpdate(openReset(tokenHash), newPassword(passwordHash), {
    returnDocument: "after",
    projection: { _id: 1 },
    lean: true,
  });
  return doc && { id: doc._id };
}
