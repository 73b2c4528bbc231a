import { mailboxKey } from "@app/shared/email-address";
import { z } from "zod";
import type { MailState } from "@app/shared/auth";
import { PRODUCT_NAME } from "@app/shared/product";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { hashToken, keyedHash } from "../../core/crypto.ts";
import { badField, conflict, tooManyRequests } from "../../core/errors.ts";
import { newToken } from "../../core/ids.ts";
import { defineJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { describePause, countAttempt } from "../../core/rate-limit.ts";
import { publicUrl } from "../../core/settings.ts";
import { takeToken } from "../../core/token-bucket.ts";
import type { Actor, Context } from "../../core/trpc.ts";
import { linkless } from "../../core/linkless.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { forWhomMailLeaves } from "../mail/system-mail-senders.service.ts";
import {
  addPasswordReset,
  findPasswordReset,
  findSignInUser,
  replacePassword,
  RESET_LINK_MS,
  spendPasswordReset,
} from "../users/credentials.service.ts";
import { tellOfChange } from "./account-notices.ts";
import { endAuthSessionsOf, findAuthSession } from "../auth-sessions/auth-sessions.service.ts";
import { ofPerson } from "./hash-turns.ts";
import { pacedMail } from "./mailbox-pace.ts";
import { requirePassword } from "./password-check.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";
import { openSignIn } from "./sign-in.ts";
import { limitByAddress, originOf, startAfresh } from "./sign-in-limits.ts";

/** For one mailbox by one requester: whoever asks elsewhere keeps nobody from a link. */
const PER_REQUESTER = { tries: 5, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const PER_ADDRESS = { tries: 50, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const LINK_TRIES = { tries: 300, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };

const EXPIRED = "This link has expired or was used already. Ask for a new one.";

// In a job, so that neither the answer nor its time tells whether the address has an account.
const mailResetLink = defineJob({
  name: "mail password reset link",
  data: z.object({ email: z.string() }),
  run: ({ email }, log) => sendResetLink(email, log),
});
// Whoever asked, it is the same link for the same person.
const links = pacedMail("reset", { size: 8, everyMs: 5 * MINUTE_MS }, (email) => mailResetLink.enqueue({ email }));
/** For one mailbox from known devices together, which may be those of somebody who had the password before. */
const FROM_KNOWN = { size: 5, everyMs: 12 * MINUTE_MS };

export async function requestPasswordReset(call: Context, email: string): Promise<MailState> {
  const { isKnown, key } = originOf(call, await findSignInUser({ email }));
  if (!isKnown) await limitByAddress("reset", call.ip, PER_ADDRESS);
  const mailbox = keyedHash(`account:${mailboxKey(email)}`);
  const taken = await countAttempt(`reset:${mailbox}:${key}`, PER_REQUESTER);
  if (!taken.isAllowed) {
    throw tooManyRequests(
      `A link was asked for several times. Look for the mail, or try again in ${describePause(taken.pauseMs)}.`,
    );
  }
  // The person's own ask does not wait for those of others.
  await (isKnown && (await takeToken(`reset-known:${mailbox}`, FROM_KNOWN)).isTaken
    ? mailResetLink.enqueue({ email })
    : links.ask({ email, about: email, turn: PER_REQUESTER.tries - 1 - taken.remaining }));
  return { mailLeavesFor: await forWhomMailLeaves() };
}

/** An address by which this person chooses a new password, once and for an hour; null where nobody has this email. */
export async function makeResetLink(email: string, log: Logger) {
  const token = newToken();
  const user = await addPasswordReset(email, hashToken(token));
  log.info({ event: "password reset asked for", userId: user?.id ?? null }, "audit");
  return user && { user, link: `${publicUrl()}/resetpassword?token=${token}` };
}

async function sendResetLink(email: string, log: Logger): Promise<void> {
  const made = await makeResetLink(email, log);
  if (!made) return;
  const { user, link } = made;
  const text = [
    `Hello ${linkless(user.firstName)},`,
    `Choose a new password for ${PRODUCT_NAME} here:\n${link}`,
    `The link works once, for ${RESET_LINK_MS / MINUTE_MS} minutes. If you did not ask for it, you need not do anything: your password stays as it is.`,
  ].join("\n\n");
  await queueSystemMail(
    { ownerId: user.ownerId, to: user.email, subject: "Choose a new password", text, hasLink: true },
    log,
  );
}

export async function resetPassword(
  call: Context,
  input: { token: string; password: string },
): Promise<Record<string, never>> {
  await limitByAddress("reset-link", call.ip, LINK_TRIES);
  const tokenHash = hashToken(input.token);
  const person = await findPasswordReset(tokenHash);
  if (!person) throw badField("token", EXPIRED);
  checkNewPassword(input.password, { email: person.email, names: [person.name] });
  const user = await spendPasswordReset(tokenHash, await hashPassword(input.password, ofPerson(tokenHash)));
  if (!user) throw badField("token", EXPIRED);
  await endAuthSessionsOf(user.id);
  await startAfresh(call, { id: user.id, email: person.email });
  call.log.info({ event: "password reset", userId: user.id }, "audit");
  await tellOfChange(call, user.id, "password");
  return {};
}

interface Change {
  currentPassword: string;
  password: string;
}

export async function changePassword(call: Context & { actor: Actor }, input: Change): Promise<Record<string, never>> {
  const { scope, user, authSessionId } = call.actor;
  const oldHash = await requirePassword(call, "currentPassword", input.currentPassword);
  checkNewPassword(input.password, { email: user.userEmail, names: [user.userFullName, user.practiceName] });
  const isRemembered = (await findAuthSession(authSessionId))?.isRemembered ?? false;
  const epoch = await replacePassword(
    scope.userId,
    oldHash,
    await hashPassword(input.password, ofPerson(scope.userId)),
  );
  if (epoch === null) throw conflict("The password was changed in another window. Sign in with the new one.");
  await endAuthSessionsOf(scope.userId);
  const person = { id: scope.userId, ownerId: scope.ownerId, epoch };
  // The password alone does not stand in for the code of somebody who has a second factor.
  const confirmedAt = user.isTwoFactorOn ? call.actor.confirmedAt : now();
  await openSignIn(call, person, { isRemembered, isSecondFactorPending: false, confirmedAt });
  call.log.info({ event: "password changed" }, "audit");
  await tellOfChange(call, scope.userId, "password");
  return {};
}
