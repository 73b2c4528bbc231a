import { ROLES } from "@app/shared/access";
import type { Scope } from "./trpc.ts";

/** No person is called so: they have a first and a last name. */
export const SYSTEM_NAME = "System";

/** For what the product does by itself in a practice, such as reminders. */
export const systemScope = (ownerId: string): Scope => ({
  ownerId,
  userId: ownerId,
  userName: SYSTEM_NAME,
  role: ROLES.owner,
  permissions: [],
  isAssignedOnly: false,
});

/** Whether nobody of the practice acts: what is refused is told to whoever is outside, if to anybody. */
export const isOfSystem = ({ userName }: Pick<Scope, "userName">): boolean => userName === SYSTEM_NAME;
