// Who saw the address of somebody's own link: whoever has it acts as that person by it, without being signed in. So it ends
// once one of them may not see it any more; asked at each look, because rights shrink in many ways.
import { can } from "@app/shared/access";
import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { rightsNow } from "../access/standing.service.ts";
import { colleagues } from "../users/users.service.ts";

/** By which the links are listed, with their addresses. */
export const LISTING = ["clients.read", "calendar.manage"] as const;

export interface Shown {
  _id: string;
  ownerId: string;
  /** Of the staff; not there in links from before this was noted, which anybody may have seen. */
  shownTo?: string[];
}

/** Call it before somebody is given the addresses of these links. `note` adds them to those with these ids. */
export async function noteShown(
  { ownerId, userId }: Scope,
  docs: readonly Shown[],
  note: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  if (userId === ownerId) return;
  const ids = docs.flatMap(({ _id, shownTo }) => (shownTo && !shownTo.includes(userId) ? [_id] : []));
  if (ids.length > 0) await note(ids);
}

/** Whether everybody who saw it may see it still; `find` throws NOT_FOUND for whoever does not see whom it is for. */
export async function mayAllHaveIt(
  { ownerId, shownTo }: Shown,
  find: (person: Scope) => Promise<unknown>,
): Promise<boolean> {
  for (const userId of shownTo ?? (await colleagues(ownerId)).map((one) => one.userId)) {
    if (userId === ownerId) continue;
    const person = await rightsNow({ ownerId, userId });
    if (!person || !LISTING.every((permission) => can(person, permission))) return false;
    if (!(await find(person).then(() => true, unlessNotFound))) return false;
  }
  return true;
}

function unlessNotFound(error: unknown): false {
  if (!isNotFound(error)) throw error;
  return false;
}
