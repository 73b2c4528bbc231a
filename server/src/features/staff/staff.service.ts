import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { foldEmail, mailboxKey } from "@app/shared/email-address";
import type {
  confirmAccreditationSchema,
  inviteResultSchema,
  InviteStaff,
  StaffUser,
  UpdateStaff,
} from "@app/shared/users";
import { outOfTurn } from "../../core/call-turns.ts";
import { HOUR_MS, now } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { tooManyRequests, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { doOnce, type Keep } from "../../core/once.ts";
import { describePause, type Limit, countAttempt } from "../../core/rate-limit.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Actor, Scope } from "../../core/trpc.ts";
import { endAuthSessionsOf } from "../auth-sessions/auth-sessions.service.ts";
import { outcomeOf, type Outcome } from "../mail/system-mail-delivery.service.ts";
import { askToHandOver, keepOver } from "../meetings/hand-overs.service.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import { assertNobodysRecord, wasEverKnown } from "../contacts/known-address.service.ts";
import {
  changeRights,
  changeStatus,
  deleteInvited,
  findInvitation,
  insertInvited,
  listStaff,
} from "../users/staff-records.service.ts";
import { INVITATION_MS } from "../users/invitations.service.ts";
import * as records from "../users/staff-records.service.ts";
import { mailInvitation } from "./invitation-mail.ts";

/** Of one practice to one mailbox: an invitation can be taken back and sent again, and one call may come many times. */
const SAME_MAILBOX = { tries: 20, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const INVITATIONS = { tries: 100, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };

const RECORDS = "A client or contact of yours has this address, or had it. Use the colleague’s own address.";

// Somewhat longer than the first sending waits for its mail.
const MAIL_PATIENCE_MS = 8000;
const LOOK_AGAIN_MS = 250;

interface Call {
  scope: Scope;
  log: Logger;
}

type InviteCall = Call & { actor: Actor };
type InviteResult = z.output<typeof inviteResultSchema>;

export function inviteStaff(call: InviteCall, { id, ...input }: InviteStaff & { id: string }): Promise<InviteResult> {
  const { scope } = call;
  return doOnce(
    scope,
    { id, what: "staff.invite", input },
    { make: (keep) => inviteNow(call, input, keep), look: (madeId) => lookAtInvitation(scope, madeId) },
  );
}

async function inviteNow({ actor, scope, log }: InviteCall, input: InviteStaff, keep: Keep): Promise<InviteResult> {
  await countInvitation(`invite:${scope.ownerId}`, INVITATIONS);
  const mailbox = keyedHash(`mailbox:${mailboxKey(input.email)}`);
  await countInvitation(`invite:${scope.ownerId}:${mailbox}`, SAME_MAILBOX);
  const id = newId();
  const mailId = newId();
  const expiresAt = new Date(now().getTime() + INVITATION_MS);
  await inTransaction(async () => {
    await keep(id);
    const refusal = { field: "email", text: RECORDS, isTaken: wasEverKnown };
    await assertNobodysRecord(scope.ownerId, [foldEmail(input.email)], refusal);
    await insertInvited(actor, input, { id, token: tokenOf(id), mailId, expiresAt });
  });
  log.info({ event: "staff invited", role: input.role }, "audit");
  await mailInvitation(actor, input, { id: mailId, link: linkOf(id) }, log);
  return resultOf(id, await outcomeOf(scope.ownerId, mailId));
}

/**
 * What whoever invites is told. The link only where nothing can be mailed at all: wherever it can be, that somebody
 * holds it is what proves the address theirs, however slow or unwilling the mail server is just now.
 */
const resultOf = (id: string, { isSent, triedUntil }: Outcome): InviteResult => ({
  isMailSent: isSent,
  triedUntil: triedUntil?.toISOString() ?? null,
  link: isSent || isMailConfigured() ? null : linkOf(id),
});

async function countInvitation(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await countAttempt(key, limit);
  if (!isAllowed) throw tooManyRequests(`Too many invitations at once. Try again in ${describePause(pauseMs)}.`);
}

/** Can be made anew, so that the answer to an invitation that is sent twice is the same, and is stored nowhere. */
const tokenOf = (id: string): string => keyedHash(`token of the invitation ${id}`);
const linkOf = (id: string): string => `${publicUrl()}/setup?token=${tokenOf(id)}`;

/** What became of an invitation; waits for the mail that another sending of it is just handing over. */
async function lookAtInvitation(scope: Scope, id: string, patienceMs = MAIL_PATIENCE_MS): Promise<InviteResult> {
  const { isOpen, mailId } = await findInvitation(scope, id);
  if (!isOpen) throw wrongState("This person has accepted the invitation already.");
  const outcome = await outcomeOf(scope.ownerId, mailId);
  if (!outcome.isTried && patienceMs > 0) {
    await outOfTurn(() => sleep(LOOK_AGAIN_MS));
    return lookAtInvitation(scope, id, patienceMs - LOOK_AGAIN_MS);
  }
  return resultOf(id, outcome);
}

/** No further sign-in, and the end of those that stand; the owner is asked to whom the meetings go that are theirs alone. */
export async function suspendStaff({ scope, log }: Call, id: string): Promise<StaffUser> {
  const staff = await inTransaction(async () => {
    const suspended = await changeStatus(scope, id, { from: "active", to: "suspended" });
    await askToHandOver(scope, id);
    return suspended;
  });
  await endAuthSessionsOf(id);
  log.info({ event: "staff suspended", staffId: id }, "audit");
  return staff;
}

export async function reactivateStaff({ scope, log }: Call, id: string): Promise<StaffUser> {
  const staff = await inTransaction(async () => {
    const active = await changeStatus(scope, id, { from: "suspended", to: "active" });
    await keepOver(scope, id);
    return active;
  });
  log.info({ event: "staff reactivated", staffId: id }, "audit");
  return staff;
}

export async function updateStaff({ scope, log }: Call, input: UpdateStaff): Promise<StaffUser> {
  const staff = await changeRights(scope, input);
  const { role, permissions } = staff;
  log.info({ event: "permissions changed", staffId: input.id, role, permissions }, "audit");
  return staff;
}

export async function confirmAccreditation(
  { scope, log }: Call,
  input: z.output<typeof confirmAccreditationSchema>,
): Promise<StaffUser> {
  const staff = await records.confirmAccreditation(scope, input);
  log.info(
    { event: "accreditation confirmed", staffId: input.id, what: input.what, isConfirmed: input.isConfirmed },
    "audit",
  );
  return staff;
}

export async function removeInvitation({ scope, log }: Call, id: string): Promise<{ items: StaffUser[] }> {
  await deleteInvited(scope, id);
  log.info({ event: "invitation removed", staffId: id }, "audit");
  return listStaff(scope);
}
