import mongoose from "mongoose";
import { changesOf } from "../../core/changes.ts";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { newToken } from "../../core/ids.ts";
import { type AuthSessionDoc, AuthSessionModel } from "./auth-sessions.model.ts";

/** Of one person, at once: each browser has one, and a page shows them all. */
const SIGN_INS_MAX = 100;

/** Every end of a sign-in is a deletion here; open event streams listen. */
export const authSessionChanges = changesOf(AuthSessionModel);

/** A new sign-in id, never one that a browser brought along. */
export const newSignInId = () => newToken();

export const findAuthSessionsOf = (userId: string): Promise<AuthSessionDoc[]> =>
  AuthSessionModel.find({ user_id: userId, expires_at: mongoose.trusted({ $gt: now() }) })
    .sort({ last_seen_at: -1 })
    .lean();

/** Ends one sign-in of this person; false where there is none with this stored id. */
export async function endAuthSession(userId: string, id: string): Promise<boolean> {
  const { deletedCount } = await AuthSessionModel.deleteOne({ _id: id, user_id: userId });
  return deletedCount > 0;
}

/** Ends the sign-in whose id stands in a cookie, whoever it belongs to. */
export async function endAuthSessionOfCookie(sessionId: string): Promise<void> {
  await AuthSessionModel.deleteOne({ _id: hashToken(sessionId) });
}

/** Ends every sign-in of this person, or all but one. */
export async function endAuthSessionsOf(userId: string, exceptId?: string): Promise<number> {
  const others = exceptId === undefined ? {} : { _id: mongoose.trusted({ $ne: exceptId }) };
  const { deletedCount } = await AuthSessionModel.deleteMany({ user_id: userId, ...others });
  return deletedCount;
}

/** Ends those that were used least lately, where a person has very many; whoever lacks the second factor ends none that has it. */
export async function endOldAuthSessionsOf(userId: string, isSecondFactorPending: boolean): Promise<void> {
  const over = await AuthSessionModel.find(
    { user_id: userId, is_second_factor_pending: isSecondFactorPending },
    { _id: 1 },
  )
    .sort({ last_seen_at: -1 })
    .skip(SIGN_INS_MAX)
    .limit(SIGN_INS_MAX)
    .lean();
  if (over.length === 0) return;
  await AuthSessionModel.deleteMany({ user_id: userId, _id: mongoose.trusted({ $in: over.map(({ _id }) => _id) }) });
}

/** Prolongs a sign-in that is in use; one that was ended meanwhile stays ended. */
export async function touchAuthSession(id: string, change: Pick<AuthSessionDoc, "expires_at" | "ip">): Promise<void> {
  await AuthSessionModel.updateOne({ _id: id }, { $set: { ...change, last_seen_at: now() } });
}

/** Notes that the person of this sign-in has just proved who they are. */
export async function confirmAuthSession(userId: string, id: string): Promise<void> {
  await AuthSessionModel.updateOne({ _id: id, user_id: userId }, { $set: { confirmed_at: now() } });
}

/** What a new sign-in takes over from the one it replaces. */
export async function findAuthSession(id: string): Promise<{ isRemembered: boolean; epoch: number } | null> {
  const session = await AuthSessionModel.findById(id, { is_remembered: 1, sign_in_epoch: 1 }).lean();
  return session && { isRemembered: session.is_remembered, epoch: session.sign_in_epoch };
}
