import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { RESET_LINK_MS } from "./credentials.service.ts";
import { UserModel } from "./users.model.ts";

export interface OpenLink {
  userId: string;
  address: string;
  askedAt: Date;
}

/** Every link to a new password or into an account that still works; few are open at a time. */
export async function openLinksOfUsers(): Promise<OpenLink[]> {
  const isOpen = mongoose.trusted({ $gt: now() });
  const users = await UserModel.find(
    {
      $or: [
        { "password_resets.expires_at": isOpen },
        { "password_reset.expires_at": isOpen },
        { "invitation.expires_at": isOpen },
      ],
    },
    { email_address: 1, password_reset: 1, password_resets: 1, invitation: 1 },
  ).lean();
  return users.flatMap(({ _id: userId, email_address: address, password_reset, password_resets, invitation }) => {
    const resets = [...(password_resets ?? []), ...(password_reset ? [password_reset] : [])];
    const links = resets.map(({ expires_at }) => ({
      expiresAt: expires_at,
      askedAt: new Date(expires_at.getTime() - RESET_LINK_MS),
    }));
    if (invitation) links.push({ expiresAt: invitation.expires_at, askedAt: invitation.invited_at });
    return links.filter(({ expiresAt }) => expiresAt > now()).map(({ askedAt }) => ({ userId, address, askedAt }));
  });
}
