import { DEFAULT_PERMISSIONS, ROLES } from "@app/shared/access";
import type { Scope } from "@app/server/core/trpc";
import { findSignInUser } from "@app/server/features/users/credentials.service";
import { findIdentityUser } from "@app/server/features/users/users.service";
import { UsageError } from "./run-command.ts";

/** An owner, as a command acts for them. */
export const scopeOfOwner = (ownerId: string, userName: string): Scope => ({
  ownerId,
  userId: ownerId,
  userName,
  role: ROLES.owner,
  permissions: DEFAULT_PERMISSIONS[ROLES.owner],
  isAssignedOnly: false,
});

/** The owner with this address, as a command acts for them. Throws UsageError where there is none. */
export async function ownerScope(email: string): Promise<Scope> {
  const found = await findSignInUser({ email });
  const user = found && (await findIdentityUser(found.id));
  if (!user || user.role !== ROLES.owner)
    throw new UsageError(`There is no owner of a practice with the address ${email}.`);
  return scopeOfOwner(user._id, `${user.first_name} ${user.last_name}`);
}
