import type { AcceptInvitation, Invitation } from "@app/shared/auth";
import { TRPCError } from "@trpc/server";
import { MINUTE_MS } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import type { Limit } from "../../core/rate-limit.ts";
import type { Context } from "../../core/trpc.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { acceptInvited, findInvited } from "../users/invitations.service.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";
import { openSignIn } from "./sign-in.ts";
import { limitByAddress } from "./sign-in-limits.ts";

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

export async function readInvitation(call: Context, token: string): Promise<Invitation> {
  await limitByAddress("invitation", call.ip, PER_ADDRESS);
  const invited = await findInvited(hashToken(token));
  if (!invited) throw isGone();
  const { email, firstName, lastName, ownerId } = invited;
  return { email, firstName, lastName, practiceName: await practiceNameOf(ownerId) };
}

/** Opens the invited account with a password of the person's own, and signs them in. */
export async function acceptInvitation(call: Context, input: AcceptInvitation): Promise<Record<string, never>> {
  await limitByAddress("invitation", call.ip, PER_ADDRESS);
  const tokenHash = hashToken(input.token);
  const invited = await findInvited(tokenHash);
  if (!invited) throw isGone();
  const { firstName, lastName } = input;
  checkNewPassword(input.password, { email: invited.email, names: [firstName + lastName] });
  const passwordHash = await hashPassword(input.password);
  const user = await acceptInvited(tokenHash, { firstName, lastName, passwordHash });
  if (!user) throw isGone();
  call.log.info({ event: "invitation accepted", userId: user.id }, "audit");
  await openSignIn(call, user, { isRemembered: false, isSecondFactorPending: false });
  return {};
}
