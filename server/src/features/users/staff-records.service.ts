// The people of a practice as they are stored, for who looks after them.
import mongoose from "mongoose";
import { DEFAULT_PERMISSIONS } from "@app/shared/access";
import { foldEmail } from "@app/shared/email-address";
import type { z } from "zod";
import {
  type confirmAccreditationSchema,
  type CurrentUser,
  type InviteStaff,
  isSigningNumber,
  type StaffUser,
  type UpdateStaff,
} from "@app/shared/users";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellRegistrationFollowers } from "./registration-followers.service.ts";
import { toStaffUser, type UserDoc, UserModel } from "./users.model.ts";

const OWN =
  "Somebody in your practice has this address, or is invited with it. Take the invitation back to send a new one.";

const SHOWN = {
  role: 1,
  email_address: 1,
  first_name: 1,
  last_name: 1,
  permissions: 1,
  status: 1,
  "totp.is_on": 1,
  "invitation.invited_at": 1,
  "invitation.mail_id": 1,
  last_seen_at: 1,
  profile_changes: 1,
  accreditation: 1,
  version: 1,
} as const;

/** Everybody of the practice, the owner first. */
export async function listStaff(scope: Scope): Promise<{ items: StaffUser[] }> {
  const [owner, staff] = await Promise.all([
    UserModel.findById(scope.ownerId, SHOWN).lean<UserDoc>(),
    UserModel.find({ owner_id: scope.ownerId }, SHOWN).sort({ created_at: 1, _id: 1 }).lean<UserDoc[]>(),
  ]);
  return { items: [...(owner ? [owner] : []), ...staff].map(toStaffUser) };
}

interface Inviter {
  scope: Scope;
  user: Pick<CurrentUser, "region" | "mediatorType">;
}

/**
 * An invitation for somebody who holds this token and has not used it yet. The address stays free for its holder's own
 * account, and for other practices' invitations, until one is accepted.
 */
export const insertInvited = (
  { scope, user }: Inviter,
  input: InviteStaff,
  { id, token, mailId, expiresAt }: { id: string; token: string; mailId: string; expiresAt: Date },
): Promise<void> =>
  inTransaction(async () => {
    const own = { owner_id: scope.ownerId, email_address: foldEmail(input.email) };
    const isOver = { "invitation.expires_at": mongoose.trusted({ $lte: now() }) };
    await UserModel.deleteMany({ ...own, status: "invited", ...isOver });
    const { email_address } = own;
    const people = { $or: [{ _id: scope.ownerId }, { owner_id: scope.ownerId }] };
    if (await UserModel.exists({ email_address, ...people })) throw badField("email", OWN);
    await UserModel.create([
      {
        ...own,
        _id: id,
        role: input.role,
        region: user.region,
        mediator_type: user.mediatorType,
        first_name: input.firstName,
        last_name: input.lastName,
        permissions: [...DEFAULT_PERMISSIONS[input.role]],
        status: "invited",
        invitation: {
          token_hash: hashToken(token),
          expires_at: expiresAt,
          invited_at: now(),
          mail_id: mailId,
        },
        known_devices: [],
      },
    ]);
  });

/** What became of an invitation. */
export async function findInvitation(scope: Scope, id: string): Promise<{ isOpen: boolean; mailId: string }> {
  const { status, invitation } = await findStaffDoc(scope, id);
  return { isOpen: status === "invited", mailId: invitation?.mail_id ?? "" };
}

/** Throws CONFLICT where somebody else changed this person meanwhile. */
export async function changeRights(scope: Scope, input: UpdateStaff): Promise<StaffUser> {
  const doc = await UserModel.findOneAndUpdate(
    { _id: input.id, owner_id: scope.ownerId, version: input.version },
    { $set: { role: input.role, permissions: [...new Set(input.permissions)] }, $inc: { version: 1 } },
    { returnDocument: "after", projection: SHOWN },
  ).lean<UserDoc>();
  if (!doc) {
    await findStaff(scope, input.id);
    throw stale("person");
  }
  return toStaffUser(doc);
}

const CONFIRMING = {
  number: { claim: "accreditation.fmca", at: "accreditation.confirmed_at" },
  child_inclusive: { claim: "accreditation.child_inclusive", at: "accreditation.child_inclusive_confirmed_at" },
} as const;

/** The owner's own word that a number is right, or that the register has the registration under it; or no longer. Throws CONFLICT where it is another one meanwhile. */
export const confirmAccreditation = (
  scope: Scope,
  input: z.output<typeof confirmAccreditationSchema>,
): Promise<StaffUser> =>
  inTransaction(async () => {
    const staff = await setConfirmed(scope, input);
    if (input.what === "child_inclusive") await tellRegistrationFollowers(scope, input.id);
    return staff;
  });

async function setConfirmed(
  scope: Scope,
  { id, number, what, isConfirmed }: z.output<typeof confirmAccreditationSchema>,
): Promise<StaffUser> {
  const { claim, at } = CONFIRMING[what];
  if (what === "number" && isConfirmed && !isSigningNumber(number))
    throw badField(
      "number",
      "A registration number is digits and a letter, such as 1234A. One that ends in T is of somebody who is not accredited yet.",
    );
  const doc = await UserModel.findOneAndUpdate(
    {
      $and: [{ _id: id }, { $or: [{ _id: scope.ownerId }, { owner_id: scope.ownerId }] }],
      [claim]: true,
      "accreditation.urn": number,
    },
    {
      ...(isConfirmed ? { $set: { [at]: now() } } : { $unset: { [at]: 1 } }),
      $inc: { version: 1 },
    },
    { returnDocument: "after", projection: SHOWN },
  ).lean<UserDoc>();
  if (doc) return toStaffUser(doc);
  if (id !== scope.ownerId) await findStaff(scope, id);
  throw stale("registration number");
}

/** Throws PRECONDITION_FAILED where this person is not in that state (any more). */
export async function changeStatus(
  scope: Scope,
  id: string,
  { from, to }: { from: StaffUser["status"]; to: StaffUser["status"] },
) {
  const stands = { _id: id, owner_id: scope.ownerId, status: from };
  const before = await UserModel.findOne(stands, { suspended_at: 1 }).lean();
  const wasAway = before?.suspended_at ? { $push: { absences: { from: before.suspended_at, to: now() } } } : {};
  const doc = await UserModel.findOneAndUpdate(
    stands,
    {
      $set: { status: to, suspended_at: to === "suspended" ? now() : null },
      ...wasAway,
      $unset: { password_reset: 1, password_resets: 1 },
      $inc: { version: 1, sign_in_epoch: 1 },
    },
    { returnDocument: "after", projection: SHOWN },
  ).lean<UserDoc>();
  if (doc) return toStaffUser(doc);
  const { status } = await findStaff(scope, id);
  throw wrongState(`This person is ${status}; only somebody who is ${from} can become ${to}.`);
}

export async function deleteInvited(scope: Scope, id: string): Promise<void> {
  const { deletedCount } = await UserModel.deleteOne({ _id: id, owner_id: scope.ownerId, status: "invited" });
  if (deletedCount > 0) return;
  await findStaff(scope, id);
  throw wrongState("This person has accepted the invitation already. Suspend the account instead.");
}

const findStaff = async (scope: Scope, id: string): Promise<StaffUser> => toStaffUser(await findStaffDoc(scope, id));

async function findStaffDoc(scope: Scope, id: string): Promise<UserDoc> {
  const doc = await UserModel.findOne({ _id: id, owner_id: scope.ownerId }, SHOWN).lean<UserDoc>();
  if (!doc) throw notFound("Staff user");
  return doc;
}
