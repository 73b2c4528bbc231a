import type { AskForPractice, ConfirmRegistration, Register, RegisterResult } from "@app/shared/auth";
import { HOUR_MS } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, forbidden, isFieldError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Limit } from "../../core/rate-limit.ts";
import { settings } from "../../core/settings.ts";
import type { Context } from "../../core/trpc.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import {
  claimFirstPractice,
  hasFirstPractice,
  insertPractice,
  isSetUpAlready,
  notePractice,
} from "../practices/practices.service.ts";
import { firstCheckoutUrl } from "../subscriptions/billing.service.ts";
import { createCustomer } from "../subscriptions/subscriptions.service.ts";
import { insertOwner } from "../users/credentials.service.ts";
import {
  askToConfirm,
  type EnteredRegistration,
  findProvedAddress,
  linkExpired,
  spendRegistration,
} from "./confirm-registration.ts";
import { type Asker, ofPerson } from "./hash-turns.ts";
import { countingOpening } from "./opening-limits.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";
import { openSignIn } from "./sign-in.ts";
import { limitByAddress, ofNewcomer } from "./sign-in-limits.ts";
import { assertNotTrying, countTaken } from "./taken-addresses.ts";

const PER_ADDRESS: Limit = { tries: 300, pauseMs: HOUR_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };

/** The first practice of an installation; from then on this page does not exist. */
export async function setUp(call: Context, input: Register): Promise<Record<string, never>> {
  if (await hasFirstPractice()) throw isSetUpAlready();
  const ownerId = await createPractice(input, { mustBeFirst: true, asker: ofNewcomer(call) });
  call.log.info({ event: "installation set up", ownerId }, "audit");
  await openSignIn(call, { id: ownerId, ownerId, epoch: 0 }, { isRemembered: false, isSecondFactorPending: false });
  return {};
}

/**
 * A further practice. Where mail can leave it is opened by the mailed link; where not, at once, and with a card payment
 * provider it goes on to the trial's checkout.
 */
export async function register(call: Context, input: AskForPractice): Promise<RegisterResult> {
  assertRegistrationAllowed();
  await limitByAddress("register", call.ip, PER_ADDRESS);
  if (isMailConfigured()) {
    await askToConfirm(call, input);
    return { next: "confirm", checkoutUrl: null };
  }
  const { password } = input;
  if (password === undefined) throw badField("password", "Choose a password.");
  const entered = { ...input, password };
  checkPasswordOf(entered);
  await assertNotTrying(call.ip);
  const opening = { mustBeFirst: false, asker: ofNewcomer(call) };
  const ownerId = await countingOpening(call.ip, () => createPractice(entered, opening)).catch(
    async (error: unknown) => {
      if (isFieldError(error)) await countTaken(call.ip);
      throw error;
    },
  );
  return enterNewPractice(call, ownerId);
}

/** Opens what whoever holds the mailed link says, with the address that it proves, and signs its owner in. */
export async function confirmRegistration(
  call: Context,
  { token, password, ...details }: ConfirmRegistration,
): Promise<RegisterResult> {
  assertRegistrationAllowed();
  const asked = { ...details, email: await findProvedAddress(call, token) };
  checkPasswordOf({ ...asked, password });
  const entered = { ...asked, passwordHash: await hashPassword(password, ofPerson(hashToken(token))) };
  const claim = async () => {
    await spendRegistration(token);
    await notePractice();
  };
  try {
    return await enterNewPractice(call, await openPractice(entered, claim));
  } catch (error) {
    // The address got an account meanwhile, by another link.
    if (isDuplicateKey(error)) throw linkExpired();
    throw error;
  }
}

function assertRegistrationAllowed(): void {
  if (!settings().ALLOW_REGISTRATION)
    throw forbidden("New practices cannot be registered here. Ask whoever runs this installation.");
}

async function enterNewPractice(call: Context, ownerId: string): Promise<RegisterResult> {
  call.log.info({ event: "practice registered", ownerId }, "audit");
  await openSignIn(call, { id: ownerId, ownerId, epoch: 0 }, { isRemembered: false, isSecondFactorPending: false });
  const checkoutUrl = await firstCheckoutUrl({ ownerId, log: call.log });
  return { next: checkoutUrl === null ? "done" : "checkout", checkoutUrl };
}

const checkPasswordOf = ({ email, firstName, lastName, practiceName, password }: Register): void =>
  checkNewPassword(password, { email, names: [firstName + lastName, practiceName] });

/** Owner, settings and billing of a new practice: all of them or none. Gives the owner's id. */
export async function createPractice(
  input: Register,
  { mustBeFirst, asker = ofPerson(newId()) }: { mustBeFirst: boolean; asker?: Asker },
): Promise<string> {
  checkPasswordOf(input);
  const entered = { ...input, passwordHash: await hashPassword(input.password, asker) };
  try {
    return await openPractice(entered, mustBeFirst ? claimFirstPractice : notePractice);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw badField("email", "This address has an account already. Sign in, or choose a new password.");
  }
}

type NewPractice = EnteredRegistration & { passwordHash: string };

/** In one transaction with what `claim` does first. */
export async function openPractice(entered: NewPractice, claim: () => Promise<unknown>): Promise<string> {
  const { email, firstName, lastName, practiceName, region, mediatorType, passwordHash } = entered;
  const id = newId();
  await inTransaction(async () => {
    await claim();
    await insertOwner({ id, email, firstName, lastName, region, mediatorType, passwordHash });
    await insertPractice({ ownerId: id, practiceName, region });
    await createCustomer(id);
  });
  return id;
}
