import { newToken } from "../../core/ids.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** How the calendar of one party knows a meeting. */
export interface PartyEntry {
  partyId: string;
  uid: string;
  /** Which of the versions that this party was told is the newest (RFC 5545, 3.8.7.4). */
  sequence: number;
}

/**
 * A name for the calendar of each of these parties, keeping those that were given before: another one for the same
 * meeting would stand there as a second meeting (RFC 5545, 3.8.4.7). Nobody can tell one from another's, nor whose it is.
 */
export const uidsFor = (partyIds: readonly string[], before: readonly PartyEntry[] = []): PartyEntry[] => {
  const known = new Set(before.map(({ partyId }) => partyId));
  const added = partyIds.filter((partyId) => !known.has(partyId));
  return [...before, ...added.map((partyId) => ({ partyId, uid: newToken(), sequence: 0 }))];
};

/** The entries as they are once these parties are told something new; what others answered stays an answer. */
export const movedOn = (entries: readonly PartyEntry[], partyIds: readonly string[]): PartyEntry[] =>
  entries.map((entry) => (partyIds.includes(entry.partyId) ? { ...entry, sequence: entry.sequence + 1 } : entry));

export function entryOf({ _id, uids }: Pick<MeetingDoc, "_id" | "uids">, partyId: string): PartyEntry {
  const found = uids.find((one) => one.partyId === partyId);
  if (!found) throw new Error(`meeting ${_id} has no name for the calendar of party ${partyId}`);
  return found;
}
