import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import type { z } from "zod";
import { foldEmail, mailboxKey } from "@app/shared/email-address";
import { DEFAULT_PERMISSIONS } from "@app/shared/access";
import type { CurrentUser, inviteResultSchema, InviteStaff, StaffUser, UpdateStaff } from "@app/shared/users";
import { HOUR_MS, now } from "../../core/clock.ts";
import { hashToken, keyedHash } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, conflict, notFound, tooManyRequests, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { doOnce, type Keep } from "../../core/once.ts";
import { describePause, type Limit, takeTry } from "../../core/rate-limit.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Actor, Scope } from "../../core/trpc.ts";
import { endAuthSessionsOf } from "../auth/auth-sessions.service.ts";
import { assertNobodysRecord } from "../contacts/known-address.service.ts";
import { INVITATION_DAYS, mailInvitation } from "./invitation-mail.ts";
import { toStaffUser, type UserDoc, UserModel } from "./users.model.ts";

const INVITATION_MS = INVITATION_DAYS * 24 * HOUR_MS;
/** Of one practice to one mailbox: an invitation can be taken back and sent again, and one call may come many times. */
const SAME_MAILBOX = { tries: 20, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const INVITATIONS = { tries: 100, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };

const RECORDS = "A client or contact of yours has this address. Use the colleague’s own address.";
const OWN =
  "Somebody in your practice has this address, or is invited with it. Take the invitation back to send a new one.";

// Somewhat longer than the first sending waits for its mail.
const MAIL_PATIENCE_MS = 8000;
const LOOK_AGAIN_MS = 250;

const SHOWN = {
  role: 1,
  email_address: 1,
  first_name: 1,
  last_name: 1,
  permissions: 1,
  status: 1,
  "totp.is_on": 1,
  "invitation.invited_at": 1,
  "invitation.is_mail_sent": 1,
  last_seen_at: 1,
  version: 1,
} as const;

interface Call {
  scope: Scope;
  log: Logger;
}

/** Everybody of the practice, the owner first. */
export async function listStaff(scope: Scope): Promise<{ items: StaffUser[] }> {
  const [owner, staff] = await Promise.all([
    UserModel.findById(scope.ownerId, SHOWN).lean<UserDoc>(),
    UserModel.find({ owner_id: scope.ownerId }, SHOWN).sort({ created_at: 1, _id: 1 }).lean<UserDoc[]>(),
  ]);
  return { items: [...(owner ? [owner] : []), ...staff].map(toStaffUser) };
}

type InviteCall = Call & { actor: Actor };
type InviteResult = z.output<typeof inviteResultSchema>;

export function inviteStaff(call: InviteCall, { id, ...input }: InviteStaff & { id: string }): Promise<InviteResult> {
  const { scope } = call;
  return doOnce(
    scope,
    { id, what: "users.invite", input },
    { make: (keep) => inviteNow(call, input, keep), look: (madeId) => lookAtInvitation(scope, madeId) },
  );
}

async function inviteNow({ actor, scope, log }: InviteCall, input: InviteStaff, keep: Keep): Promise<InviteResult> {
  await countInvitation(`invite:${scope.ownerId}`, INVITATIONS);
  const mailbox = keyedHash(`mailbox:${mailboxKey(input.email)}`);
  await countInvitation(`invite:${scope.ownerId}:${mailbox}`, SAME_MAILBOX);
  const id = newId();
  await inTransaction(async () => {
    await keep(id);
    await insertInvited(actor, input, { id, token: tokenOf(id) });
  });
  const link = linkOf(id);
  log.info({ event: "staff invited", role: input.role }, "audit");
  const isMailSent = await mailInvitation(actor, input, link, log);
  await UserModel.updateOne({ _id: id, status: "invited" }, { $set: { "invitation.is_mail_sent": isMailSent } });
  return { isMailSent, link: isMailSent ? null : link };
}

async function countInvitation(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await takeTry(key, limit);
  if (!isAllowed) throw tooManyRequests(`Too many invitations at once. Try again in ${describePause(pauseMs)}.`);
}

/** Can be made anew, so that the answer to an invitation that is sent twice is the same, and is stored nowhere. */
const tokenOf = (id: string): string => keyedHash(`token of the invitation ${id}`);
const linkOf = (id: string): string => `${publicUrl()}/setup?token=${tokenOf(id)}`;

/** What became of an invitation; waits for the mail that another sending of it is just handing over. */
async function lookAtInvitation(scope: Scope, id: string, patienceMs = MAIL_PATIENCE_MS): Promise<InviteResult> {
  const { status, invitation } = await findStaffDoc(scope, id);
  if (status !== "invited") throw wrongState("This person has accepted the invitation already.");
  const isMailSent = invitation?.is_mail_sent;
  if (typeof isMailSent !== "boolean" && patienceMs > 0) {
    await sleep(LOOK_AGAIN_MS);
    return lookAtInvitation(scope, id, patienceMs - LOOK_AGAIN_MS);
  }
  return { isMailSent: isMailSent ?? false, link: isMailSent ? null : linkOf(id) };
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
  { id, token }: { id: string; token: string },
): Promise<void> =>
  inTransaction(async () => {
    const own = { owner_id: scope.ownerId, email_address: foldEmail(input.email) };
    await assertNobodysRecord(scope.ownerId, own.email_address, { field: "email", text: RECORDS });
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
          expires_at: new Date(now().getTime() + INVITATION_MS),
          invited_at: now(),
        },
        known_devices: [],
      },
    ]);
  });

export async function updateStaff({ scope, log }: Call, input: UpdateStaff): Promise<StaffUser> {
  const doc = await UserModel.findOneAndUpdate(
    { _id: input.id, owner_id: scope.ownerId, version: input.version },
    { $set: { role: input.role, permissions: [...new Set(input.permissions)] }, $inc: { version: 1 } },
    { returnDocument: "after", projection: SHOWN },
  ).lean<UserDoc>();
  if (!doc) {
    await findStaff(scope, input.id);
    throw conflict("This person was changed in another window. Reload the page and change them again.");
  }
  log.info(
    { event: "permissions changed", staffId: input.id, role: input.role, permissions: doc.permissions },
    "audit",
  );
  return toStaffUser(doc);
}

/** No further sign-in, and the end of those that stand. */
export async function suspendStaff({ scope, log }: Call, id: string): Promise<StaffUser> {
  const staff = await changeStatus(scope, id, { from: "active", to: "suspended" });
  await endAuthSessionsOf(id);
  log.info({ event: "staff suspended", staffId: id }, "audit");
  return staff;
}

export async function reactivateStaff({ scope, log }: Call, id: string): Promise<StaffUser> {
  const staff = await changeStatus(scope, id, { from: "suspended", to: "active" });
  log.info({ event: "staff reactivated", staffId: id }, "audit");
  return staff;
}

async function changeStatus(
  scope: Scope,
  id: string,
  { from, to }: { from: StaffUser["status"]; to: StaffUser["status"] },
) {
  const doc = await UserModel.findOneAndUpdate(
    { _id: id, owner_id: scope.ownerId, status: from },
    { $set: { status: to }, $unset: { password_reset: 1, password_resets: 1 }, $inc: { version: 1, sign_in_epoch: 1 } },
    { returnDocument: "after", projection: SHOWN },
  ).lean<UserDoc>();
  if (doc) return toStaffUser(doc);
  const { status } = await findStaff(scope, id);
  throw wrongState(`This person is ${status}; only somebody who is ${from} can become ${to}.`);
}

export async function removeInvitation({ scope, log }: Call, id: string): Promise<{ items: StaffUser[] }> {
  const { deletedCount } = await UserModel.deleteOne({ _id: id, owner_id: scope.ownerId, status: "invited" });
  if (deletedCount === 0) {
    await findStaff(scope, id);
    throw wrongState("This person has accepted the invitation already. Suspend the account instead.");
  }
  log.info({ event: "invitation removed", staffId: id }, "audit");
  return listStaff(scope);
}

const findStaff = async (scope: Scope, id: string): Promise<StaffUser> => toStaffUser(await findStaffDoc(scope, id));

async function findStaffDoc(scope: Scope, id: string): Promise<UserDoc> {
  const doc = await UserModel.findOne({ _id: id, owner_id: scope.ownerId }, SHOWN).lean<UserDoc>();
  if (!doc) throw notFound("Staff user");
  return doc;
}
