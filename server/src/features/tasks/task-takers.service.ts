// Who gets a task that the product makes: things may have changed since somebody did what it follows from.
import { type Permission, ROLES } from "@app/shared/access";
import type { CreateTask } from "@app/shared/tasks";
import { isNotFound } from "../../core/errors.ts";
import type { Needs } from "../../core/needs.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { visibleAmong } from "../clients/clients.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

type Given = Pick<CreateTask, "clientId" | "caseId"> & { needs?: Needs };

/**
 * Whom it was made for, where they work here now and see what it hangs on; else whoever acts, a mediator of the case, or
 * the owner, who all see it.
 */
export async function takerOf(
  { ownerId, userId }: Scope,
  task: Given & Pick<CreateTask, "assigneeId">,
): Promise<string> {
  // The owner, as whom the product itself acts too, comes last.
  const acting = userId === ownerId ? [] : [userId];
  for (const candidate of [task.assigneeId, ...acting]) if (await mayTake(ownerId, candidate, task)) return candidate;
  const mediators = task.caseId ? (await getCase(systemScope(ownerId), task.caseId)).mediators : [];
  for (const mediator of mediators.toSorted((one, other) => Number(other.isLead) - Number(one.isLead)))
    if (await mayTake(ownerId, mediator.userId, task)) return mediator.userId;
  return ownerId;
}

export async function mayTake(
  ownerId: string,
  userId: string,
  { clientId, caseId, needs = null }: Given,
): Promise<boolean> {
  const user = await findIdentityUser(userId);
  if (user?.status !== "active" || (user.owner_id ?? user._id) !== ownerId) return false;
  if (user.role === ROLES.owner) return true;
  const holds = (permission: Permission) => user.permissions.includes(permission);
  if (!holds("clients.read") || (needs !== null && !holds(needs))) return false;
  if (!holds("assigned_only")) return true;
  const scope = { ...systemScope(ownerId), userId, isAssignedOnly: true };
  try {
    if (caseId) await getCase(scope, caseId);
    return caseId !== null || clientId === null || (await visibleAmong(scope, [clientId])).has(clientId);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
