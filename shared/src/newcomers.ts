// Whoever joins a case later meets people who were screened, and consented, before anybody asked them about it. Free of zod.
import { sideOf } from "./case-states.ts";

/** When somebody came into their case, which may be entered later than it was. */
export interface Joined {
  /** When they were entered; null for those with whom the case began. */
  joinedAt: Date | string | null;
  respondedOn: string;
  agreementSignedOn: string;
}

interface Joining extends Joined {
  partyId: string;
  label: string;
  side: string;
}

const dayEntered = (joinedAt: Date | string): string => new Date(joinedAt).toISOString().slice(0, 10);

/**
 * The first day (yyyy-mm-dd) on which somebody did something in the case, before the one on which they were entered; else
 * empty. A MIAM is none: it may have been held before, or elsewhere.
 */
export function cameBefore({ joinedAt, respondedOn, agreementSignedOn }: Joined): string {
  const [first = ""] = [respondedOn, agreementSignedOn].filter(Boolean).toSorted();
  return joinedAt !== null && first !== "" && first < dayEntered(joinedAt) ? first : "";
}

/** The first day on which somebody can have been at a session of their case; empty for those with whom it began. */
export function cameOn(party: Joined): string {
  return party.joinedAt === null ? "" : cameBefore(party) || dayEntered(party.joinedAt);
}

/** Whether somebody had come by this moment, which was on this day for the practice. */
export function hadCome(party: Joined, { at, day }: { at: Date; day: string }): boolean {
  const before = cameBefore(party);
  return party.joinedAt === null || new Date(party.joinedAt) <= at || (before !== "" && before <= day);
}

export interface Newcomer {
  label: string;
  /** Empty where it was on the day on which it was entered. */
  on: string;
  /** When it was entered. */
  at: Date;
}

/** Who of these joined later, on another side than this party: people on one side came together. */
export const newcomersTo = (party: Pick<Joining, "partyId" | "side">, others: readonly Joining[]): Newcomer[] =>
  others
    .filter((other) => sideOf(other) !== sideOf(party))
    .flatMap((other) =>
      other.joinedAt === null ? [] : [{ label: other.label, on: cameBefore(other), at: new Date(other.joinedAt) }],
    );
