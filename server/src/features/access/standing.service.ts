// What somebody may do as things stand now, also where they are not calling: a job that they started, their calendar.
import type { Permission } from "@app/shared/access";
import type { Access } from "@app/shared/subscriptions";
import { type CurrentUser, mediatorTypeSchema, permissionSchema, regionSchema, roleSchema } from "@app/shared/users";
import type { Logger } from "../../core/logger.ts";
import { isPermitted, type Scope } from "../../core/trpc.ts";
import { findPracticeSettings, type PracticeSettings } from "../practices/practices.service.ts";
import { accessOrNone } from "./access.service.ts";
import { findIdentityUser, type IdentityUser } from "../users/users.service.ts";

interface Known {
  user: IdentityUser;
  practice: PracticeSettings | null;
}

/** Somebody as every rule sees them. */
export function personOf(
  { user, practice }: Known,
  ownerId: string,
  access: Access,
): { scope: Scope; user: CurrentUser } {
  const userName = `${user.first_name} ${user.last_name}`;
  const role = roleSchema.parse(user.role);
  const permissions = permissionSchema.array().parse(user.permissions);
  const isTwoFactorOn = user.totp?.is_on ?? false;
  const isAssignedOnly = user.owner_id !== undefined && permissions.includes("assigned_only");
  return {
    scope: { ownerId, userId: user._id, userName, role, permissions, isAssignedOnly },
    user: {
      userId: user._id,
      ownerId,
      userFullName: userName,
      firstName: user.first_name,
      lastName: user.last_name,
      userEmail: user.email_address,
      role,
      mediatorType: mediatorTypeSchema.parse(user.mediator_type),
      region: regionSchema.parse(user.region),
      permissions,
      practiceName: practice?.practice_name ?? "",
      timeZone: practice?.time_zone ?? "UTC",
      hasAccess: access.hasAccess,
      subscriptionPlan: access.plan,
      isTwoFactorOn,
      mustSetUpTwoFactor: !isTwoFactorOn && (practice?.is_two_factor_required ?? false),
    },
  };
}

const ASKED_OF_NOBODY: Access = { hasAccess: true, plan: "pro" };

/** What somebody of this practice may read now, whether or not it pays at the moment; null where they left it. */
export async function rightsNow({ userId, ownerId }: Pick<Scope, "userId" | "ownerId">): Promise<Scope | null> {
  const [user, practice] = await Promise.all([findIdentityUser(userId), findPracticeSettings(ownerId)]);
  if (user?.status !== "active" || (user.owner_id ?? user._id) !== ownerId) return null;
  return personOf({ user, practice }, ownerId, ASKED_OF_NOBODY).scope;
}

/** As whom somebody of this practice acts now; null where they left it, or may not do all of this. */
export async function scopeNow(
  { userId, ownerId }: Pick<Scope, "userId" | "ownerId">,
  permissions: readonly Permission[],
  log: Logger,
): Promise<Scope | null> {
  const [user, practice] = await Promise.all([findIdentityUser(userId), findPracticeSettings(ownerId)]);
  if (user?.status !== "active" || (user.owner_id ?? user._id) !== ownerId) return null;
  const person = personOf({ user, practice }, ownerId, await accessOrNone({ userId, ownerId }, log));
  return isPermitted(person, permissions) ? person.scope : null;
}
