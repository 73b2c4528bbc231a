import type { AcceptInvitation, Invitation } from "@app/shared/auth";
import { TRPCError } from "@trpc/server";
import { MINUTE_MS } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { conflict } from "../../core/errors.ts";
import type { Limit } from "../../core/rate-limit.ts";
import type { Context } from "../../core/trpc.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { acceptInvited, findInvited } from "../users/invitations.service.ts";
import { ofPerson } from "./hash-turns.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";
import { openSignIn } from "./sign-in.ts";
import { limitByAddress } from "./sign-in-limits.ts";
import { assertNotTrying, countTaken } from "./taken-addresses.ts";

const PER_ADDRESS: Limit = {
  tries: 300,
  pauseMs: 15 * MINUTE_MS,
  longestPauseMs: 240 * MINUTE_MS,
  memoryMs: 60 * MINUTE_MS,
};

const isGone = () =>
  new TRPCError({
    code: "NOT_FOUND",
    message: "This invitation does not work any more. Ask the owner of the practice for a new one.",
  });

const hasAccount = () =>
  conflict(
    "This address has an account already, so it cannot join another practice. Ask whoever invited you to invite another address of yours.",
  );

/** Who may accept with this link. Throws where nobody can, and says whether that is because of an account. */
async function findOpen({ ip }: Context, tokenHash: string) {
  await limitByAddress("invitation", ip, PER_ADDRESS);
  await assertNotTrying(ip);
  const invited = await findInvited(tokenHash);
  if (!invited) throw isGone();
  if (!(await findSignInUser({ email: invited.email }))) return invited;
  // It may be their own, opened by this very link a moment ago.
  if (!(await findInvited(tokenHash))) throw isGone();
  // Else the link may be in the hands of whoever invited, from when no mail could leave.
  await countTaken(ip);
  throw hasAccount();
}

export async function readInvitation(call: Context, token: string): Promise<Invitation> {
  const { email, firstName, lastName, ownerId } = await findOpen(call, hashToken(token));
  return { email, firstName, lastName, practiceName: await practiceNameOf(ownerId) };
}

/** Opens the invited account with a password of the person's own, and signs them in. */
export async function acceptInvitation(call: Context, input: AcceptInvitation): Promise<Record<string, never>> {
  const tokenHash = hashToken(input.token);
  const invited = await findOpen(call, tokenHash);
  const { firstName, lastName } = input;
  checkNewPassword(input.password, { email: invited.email, names: [firstName + lastName] });
  const passwordHash = await hashPassword(input.password, ofPerson(tokenHash));
  const user = await acceptInvited(tokenHash, { firstName, lastName, passwordHash }).catch((error: unknown) => {
    throw isDuplicateKey(error) ? hasAccount() : error;
  });
  if (!user) throw isGone();
  call.log.info({ event: "invitation accepted", userId: user.id }, "audit");
  await openSignIn(call, user, { isRemembered: false, isSecondFactorPending: false });
  return {};
}
