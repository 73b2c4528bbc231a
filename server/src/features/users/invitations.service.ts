import mongoose from "mongoose";
import { DAY_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueTime, openFor } from "../../core/due-times.ts";
import { takeNameTurn } from "../../core/turns.ts";
import { assertNobodyElses, changesBetween } from "./profiles.service.ts";
import { type ProfileChange, pushProfileChanges, UserModel } from "./users.model.ts";

export const INVITATION_DAYS = 7;
export const INVITATION_MS = INVITATION_DAYS * DAY_MS;

const openInvitation = (tokenHash: string) => ({
  status: "invited" as const,
  "invitation.token_hash": tokenHash,
  "invitation.expires_at": openFor(INVITATION_MS),
});

defineDueTime({
  of: "invitations",
  times: ["User.invitation.expires_at"],
  aheadMs: INVITATION_MS,
  bringBack: (latest, at) =>
    UserModel.updateMany(
      { "invitation.expires_at": mongoose.trusted({ $gt: latest }) },
      { $set: { "invitation.expires_at": at } },
      { timestamps: false },
    ),
});

/** Who was invited with this link; null where it does not work any more. */
export async function findInvited(tokenHash: string) {
  const doc = await UserModel.findOne(openInvitation(tokenHash), {
    email_address: 1,
    first_name: 1,
    last_name: 1,
    owner_id: 1,
  }).lean();
  return doc?.owner_id
    ? { email: doc.email_address, firstName: doc.first_name, lastName: doc.last_name, ownerId: doc.owner_id }
    : null;
}

interface Acceptance {
  firstName: string;
  lastName: string;
  passwordHash: string;
}

/**
 * Takes the link and opens the account in one step: only an account that waits for this very link is ever touched. The
 * index refuses it (`isDuplicateKey`) where the address has an account by then.
 */
export const acceptInvited = (tokenHash: string, change: Acceptance) =>
  inTransaction(async () => {
    const invited = await UserModel.findOne(openInvitation(tokenHash), SHOWN).lean();
    if (!invited?.owner_id) return null;
    const wanted = { first_name: change.firstName, last_name: change.lastName };
    await takeNameTurn(invited.owner_id);
    await assertNobodyElses(invited.owner_id, invited._id, { before: invited, wanted });
    return openAccount(tokenHash, change, changesBetween(invited, wanted));
  });

const SHOWN = { first_name: 1, last_name: 1, owner_id: 1 } as const;

async function openAccount(tokenHash: string, change: Acceptance, changes: ProfileChange[]) {
  const doc = await UserModel.findOneAndUpdate(
    openInvitation(tokenHash),
    {
      $set: {
        status: "active",
        first_name: change.firstName,
        last_name: change.lastName,
        password_hash: change.passwordHash,
      },
      $unset: { invitation: 1 },
      $inc: { version: 1 },
      $push: pushProfileChanges(changes),
    },
    { returnDocument: "after", projection: { owner_id: 1, sign_in_epoch: 1 }, lean: true },
  );
  return doc?.owner_id ? { id: doc._id, ownerId: doc.owner_id, epoch: doc.sign_in_epoch } : null;
}
