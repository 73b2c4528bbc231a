import { ROLES } from "@app/shared/access";
import type { Scope } from "./trpc.ts";

/** For what the product does by itself in a practice, such as reminders. */
export const systemScope = (ownerId: string): Scope => ({
  ownerId,
  userId: ownerId,
  userName: "System",
  role: ROLES.owner,
  permissions: [],
  isAssignedOnly: false,
});
