import type { Profile, UpdateProfile } from "@app/shared/users";
import type { Logger } from "../../core/logger.ts";
import { linkless } from "../../core/linkless.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { getProfile, type ProfileChange, updateProfile } from "../users/profiles.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

interface Call {
  scope: Scope;
  log: Logger;
}

/** Changes how somebody is named in all that they do; the owner of the practice is told, of their own change too. */
export async function changeProfile({ scope, log }: Call, input: UpdateProfile): Promise<Profile> {
  const changes = await updateProfile(scope, input);
  if (changes.length > 0) {
    log.info({ event: "profile changed", userId: scope.userId, what: changes.map(({ what }) => what) }, "audit");
    await tellOwner({ scope, log }, changes);
  }
  return getProfile(scope);
}

async function tellOwner({ scope, log }: Call, changes: ProfileChange[]): Promise<void> {
  const owner = await findIdentityUser(scope.ownerId);
  if (!owner) return;
  const isOwn = scope.userId === scope.ownerId;
  const who = linkless(scope.userName);
  const text = [
    `Hello ${linkless(owner.first_name)},`,
    isOwn ? "This was changed on your own account:" : `${who} changed this on their own account:`,
    changes.map(({ what, from, to }) => `${NAMES[what]}: ${linkless(from)}\nNow: ${linkless(to)}`).join("\n\n"),
    isOwn
      ? `If it was not you, choose a new password at once, which also signs out every device:\n${publicUrl()}/resetpassword`
      : `If it is not right, speak with them, or suspend the account:\n${publicUrl()}/settings/user-permissions`,
  ].join("\n\n");
  const subject = isOwn ? "Your profile was changed" : "A colleague changed their profile";
  await queueSystemMail({ ownerId: scope.ownerId, to: owner.email_address, subject, text, hasLink: false }, log);
}

const NAMES = { name: "Name", accreditation: "Accreditation" } as const;
