import type { Register } from "@app/shared/auth";
import { HOUR_MS } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, forbidden } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Limit } from "../../core/rate-limit.ts";
import { settings } from "../../core/settings.ts";
import type { Context } from "../../core/trpc.ts";
import {
  claimFirstPractice,
  hasFirstPractice,
  insertPractice,
  isSetUpAlready,
  notePractice,
} from "../practices/practices.service.ts";
import { firstCheckoutUrl } from "../subscriptions/billing.ts";
import { createCustomer } from "../subscriptions/subscriptions.service.ts";
import { insertOwner } from "../users/credentials.service.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";
import { openSignIn } from "./sign-in.ts";
import { limitByAddress } from "./sign-in-limits.ts";

const PER_ADDRESS: Limit = { tries: 300, pauseMs: HOUR_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };

/** The first practice of an installation; from then on this page does not exist. */
export async function setUp(call: Context, input: Register): Promise<Record<string, never>> {
  if (await hasFirstPractice()) throw isSetUpAlready();
  const ownerId = await createPractice(input, { mustBeFirst: true });
  call.log.info({ event: "installation set up", ownerId }, "audit");
  await openSignIn(call, { id: ownerId, ownerId, epoch: 0 }, { isRemembered: false, isSecondFactorPending: false });
  return {};
}

/** A further practice; with a card payment provider it goes on to the trial's checkout. */
export async function register(call: Context, input: Register) {
  if (!settings().ALLOW_REGISTRATION) {
    throw forbidden("New practices cannot be registered here. Ask whoever runs this installation.");
  }
  await limitByAddress("register", call.ip, PER_ADDRESS);
  const ownerId = await createPractice(input, { mustBeFirst: false });
  call.log.info({ event: "practice registered", ownerId }, "audit");
  await openSignIn(call, { id: ownerId, ownerId, epoch: 0 }, { isRemembered: false, isSecondFactorPending: false });
  const checkoutUrl = await firstCheckoutUrl({ ownerId, log: call.log });
  return { next: checkoutUrl === null ? ("done" as const) : ("checkout" as const), checkoutUrl };
}

/** Owner, settings and billing of a new practice: all of them or none. Gives the owner's id. */
export async function createPractice(input: Register, { mustBeFirst }: { mustBeFirst: boolean }): Promise<string> {
  const { email, firstName, lastName, practiceName, region, mediatorType } = input;
  checkNewPassword(input.password, { email, names: [firstName + lastName, practiceName] });
  const passwordHash = await hashPassword(input.password);
  const id = newId();
  try {
    await inTransaction(async () => {
      await (mustBeFirst ? claimFirstPractice() : notePractice());
      await insertOwner({ id, email, firstName, lastName, region, mediatorType, passwordHash });
      await insertPractice({ ownerId: id, practiceName, region });
      await createCustomer(id);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw badField("email", "This address has an account already. Sign in, or choose a new password.");
  }
  return id;
}
