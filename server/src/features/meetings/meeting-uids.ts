import { newToken } from "../../core/ids.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/**
 * A name for the calendar of each of these parties, keeping those that were given before: another one for the same
 * meeting would stand there as a second meeting (RFC 5545, 3.8.4.7). Nobody can tell one from another's, nor whose it is.
 */
export const uidsFor = (partyIds: readonly string[], before: MeetingDoc["uids"] = []): MeetingDoc["uids"] => {
  const known = new Set(before.map(({ partyId }) => partyId));
  const added = partyIds.filter((partyId) => !known.has(partyId));
  return [...before, ...added.map((partyId) => ({ partyId, uid: newToken() }))];
};

export function uidOf({ _id, uids }: Pick<MeetingDoc, "_id" | "uids">, partyId: string): string {
  const found = uids.find((one) => one.partyId === partyId);
  if (!found) throw new Error(`meeting ${_id} has no name for the calendar of party ${partyId}`);
  return found.uid;
}
