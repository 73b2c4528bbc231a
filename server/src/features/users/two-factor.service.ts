import mongoose from "mongoose";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { UserModel } from "./users.model.ts";

/** The place that a secret is encrypted for: it decrypts nowhere else. */
export const totpPlace = (userId: string) => `users:${userId}:totp`;
defineSealedField({ collection: "users", path: "totp.secret_enc", placeOf: ({ _id }) => totpPlace(_id) });
defineSealedField({ collection: "users", path: "totp.pending_secret_enc", placeOf: ({ _id }) => totpPlace(_id) });

interface TotpState {
  isOn: boolean;
  secretEnc: string | null;
  pendingSecretEnc: string | null;
}

export async function findTotp(userId: string): Promise<TotpState> {
  const doc = await UserModel.findById(userId, { totp: 1 }).lean();
  return {
    isOn: doc?.totp?.is_on ?? false,
    secretEnc: doc?.totp?.secret_enc ?? null,
    pendingSecretEnc: doc?.totp?.pending_secret_enc ?? null,
  };
}

/** Keeps a new secret until a code proves that the authenticator has it. False while a second factor is on. */
export async function setPendingTotp(userId: string, secretEnc: string): Promise<boolean> {
  const { matchedCount } = await UserModel.updateOne(
    { _id: userId, "totp.is_on": mongoose.trusted({ $ne: true }) },
    { $set: { totp: { is_on: false, pending_secret_enc: secretEnc, last_step: 0, recovery_hashes: [] } } },
  );
  return matchedCount === 1;
}

/** Only with the very secret that the code was checked against. */
export async function switchOnTotp(
  userId: string,
  change: { secretEnc: string; step: number; recoveryHashes: string[] },
) {
  const { modifiedCount } = await UserModel.updateOne(
    { _id: userId, "totp.is_on": false, "totp.pending_secret_enc": change.secretEnc },
    {
      $set: {
        totp: {
          is_on: true,
          secret_enc: change.secretEnc,
          last_step: change.step,
          recovery_hashes: change.recoveryHashes,
        },
      },
    },
  );
  return modifiedCount === 1;
}

/**
 * Takes a time step once; false where this code or a later one was used before (RFC 6238, 5.2). A step after `latest`,
 * the last that anybody could have used by now, was taken by a wrong clock: it does not count.
 */
export async function spendTotpStep(userId: string, step: number, latest: number): Promise<boolean> {
  const { modifiedCount } = await UserModel.updateOne(
    {
      _id: userId,
      "totp.is_on": true,
      $or: [
        { "totp.last_step": mongoose.trusted({ $lt: step }) },
        { "totp.last_step": mongoose.trusted({ $gt: latest }) },
      ],
    },
    { $set: { "totp.last_step": step } },
  );
  return modifiedCount === 1;
}

/** Takes a recovery code once. */
export async function spendRecoveryCode(userId: string, codeHash: string): Promise<boolean> {
  const { modifiedCount } = await UserModel.updateOne(
    { _id: userId, "totp.is_on": true, "totp.recovery_hashes": codeHash },
    { $pull: { "totp.recovery_hashes": codeHash } },
  );
  return modifiedCount === 1;
}

export async function switchOffTotp(userId: string): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $unset: { totp: 1 } });
}
