// Somebody of the practice for whom something is done later: who they are and what they may do at that moment.
import { permissionSchema, roleSchema } from "@app/shared/users";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { accessOrNone } from "../subscriptions/subscription-check.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

/** As whom this person acts now; null where they have left the practice or are suspended. */
export async function actingScope(ownerId: string, userId: string): Promise<Scope | null> {
  const user = await findIdentityUser(userId);
  if (!user || user.status !== "active" || (user.owner_id ?? user._id) !== ownerId) return null;
  const permissions = permissionSchema.array().parse(user.permissions);
  return {
    ownerId,
    userId,
    userName: `${user.first_name} ${user.last_name}`,
    role: roleSchema.parse(user.role),
    permissions,
    isAssignedOnly: user.owner_id !== undefined && permissions.includes("assigned_only"),
  };
}

/** Whether this person's practice has a subscription that counts. */
export const hasSubscription = async (person: Pick<Scope, "ownerId" | "userId">, log: Logger): Promise<boolean> =>
  (await accessOrNone(person, log)).hasAccess;
