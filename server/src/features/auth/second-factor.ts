import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { PRODUCT_NAME } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt, keyedHash } from "../../core/crypto.ts";
import { badField, stale, unauthorized, wrongState } from "../../core/errors.ts";
import type { Actor, Context } from "../../core/trpc.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import {
  findTotp,
  setPendingTotp,
  switchOffTotp,
  switchOnTotp,
  totpPlace,
  spendRecoveryCode,
  spendTotpStep,
} from "../users/two-factor.service.ts";
import { findPracticeSettings } from "../practices/practices.service.ts";
import { tellOfChange } from "./account-notices.ts";
import { confirmAuthSession, endAuthSessionsOf } from "../auth-sessions/auth-sessions.service.ts";
import { requirePassword } from "./password-check.ts";
import type { SignInCall } from "./sign-in.ts";
import { countPersonalTry } from "./sign-in-limits.ts";

const PERIOD_SECONDS = 30;
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 12;
// Without letters and digits that are taken for one another.
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

type Call = Context & { actor: Actor };

const authenticator = (label: string, secret: string) =>
  new TOTP({
    issuer: PRODUCT_NAME,
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** The time step that this code belongs to: now, or one before or after, for clocks that differ. */
function stepOf(secret: string, code: string): number | null {
  const timestamp = now().getTime();
  const delta = authenticator("", secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : presentStep() + delta;
}

const presentStep = () => Math.floor(now().getTime() / 1000 / PERIOD_SECONDS);

export async function startTwoFactor(call: Call, password: string): Promise<{ secret: string; uri: string }> {
  const { actor } = call;
  const { userId } = actor.scope;
  await requirePassword(call, "password", password);
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  if (!(await setPendingTotp(userId, encrypt(secret, totpPlace(userId))))) {
    throw wrongState("A second factor is on already. Switch it off first.");
  }
  await confirmAuthSession(userId, actor.authSessionId);
  return { secret, uri: authenticator(actor.user.userEmail, secret).toString() };
}

export async function enableTwoFactor(call: Call, code: string): Promise<{ recoveryCodes: string[] }> {
  const { actor, log } = call;
  const { userId } = actor.scope;
  const { pendingSecretEnc, isOn } = await findTotp(userId);
  if (isOn || pendingSecretEnc === null)
    throw badField("code", "Start again: the second factor was not prepared, or is on already.");
  const { remaining, forgive } = await countPersonalTry("code", call, await personOf(userId));
  const step = stepOf(decrypt(pendingSecretEnc, totpPlace(userId)), code);
  if (step === null) throw badField("code", `This code is not right. ${remaining}`);
  await forgive();
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const recoveryHashes = recoveryCodes.map((each) => hashRecoveryCode(userId, each));
  if (!(await switchOnTotp(userId, { secretEnc: pendingSecretEnc, step, recoveryHashes }))) {
    throw stale("second factor");
  }
  await endAuthSessionsOf(userId, actor.authSessionId);
  log.info({ event: "second factor switched on" }, "audit");
  await tellOfChange(call, userId, "twoFactorOn");
  return { recoveryCodes };
}

export async function disableTwoFactor(
  call: Call,
  input: { password: string; code: string },
): Promise<Record<string, never>> {
  const { actor, log } = call;
  const { userId, ownerId } = actor.scope;
  await requirePassword(call, "password", input.password);
  if ((await findPracticeSettings(ownerId))?.is_two_factor_required) {
    throw wrongState("Your practice asks everybody for a second factor, so it stays on.");
  }
  await requireSecondFactor(call, userId, input.code);
  await switchOffTotp(userId);
  await endAuthSessionsOf(userId, actor.authSessionId);
  log.info({ event: "second factor switched off" }, "audit");
  await tellOfChange(call, userId, "twoFactorOff");
  return {};
}

/** Takes a code of the authenticator or a recovery code; each works once. */
export async function requireSecondFactor(call: SignInCall, userId: string, code: string): Promise<void> {
  const isRecovery = code.length === RECOVERY_LENGTH;
  const { remaining, forgive } = await countPersonalTry(isRecovery ? "recovery" : "code", call, await personOf(userId));
  const isRight = isRecovery
    ? await spendRecoveryCode(userId, hashRecoveryCode(userId, code))
    : await isFreshCode(userId, code);
  if (!isRight)
    throw badField("code", `This code is not right, or was used before. Wait for the next one. ${remaining}`);
  await forgive();
}

async function personOf(userId: string) {
  const user = await findSignInUser({ id: userId });
  if (!user) throw unauthorized("You are not signed in. Sign in and try again.");
  return user;
}

async function isFreshCode(userId: string, code: string): Promise<boolean> {
  const { secretEnc } = await findTotp(userId);
  if (secretEnc === null) return false;
  const step = stepOf(decrypt(secretEnc, totpPlace(userId)), code);
  return step !== null && spendTotpStep(userId, step, presentStep() + 2 * WINDOW);
}

/** For example 7KQ2-M4XD-9PTR. */
function newRecoveryCode(): string {
  const signs = Array.from(randomBytes(RECOVERY_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return signs.replace(/(.{4})(?=.)/g, "$1-");
}

const hashRecoveryCode = (userId: string, code: string) => keyedHash(`recovery:${userId}:${code.replaceAll("-", "")}`);
