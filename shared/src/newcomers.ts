// Whoever joins a case later meets people who were screened, and consented, before anybody asked them about it. Free of zod.
import { sideOf } from "./case-states.ts";
import { dayIn } from "./days.ts";

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

/**
 * The first day (yyyy-mm-dd) on which somebody did something in the case; empty where they have not. A MIAM is none: it may
 * have been held before, or elsewhere.
 */
const firstDay = ({ respondedOn, agreementSignedOn }: Joined): string =>
  [respondedOn, agreementSignedOn].filter(Boolean).toSorted()[0] ?? "";

/** That day, where it is the one on which they were entered, in the practice's zone, or one before; else empty. */
function cameBy(party: Joined, timeZone: string): string {
  const first = firstDay(party);
  return party.joinedAt !== null && first !== "" && first <= dayIn(timeZone, new Date(party.joinedAt)) ? first : "";
}

/** The first day on which somebody can have been at a session of their case; empty for those with whom it began. */
export function cameOn(party: Joined, timeZone: string): string {
  return party.joinedAt === null ? "" : cameBy(party, timeZone) || dayIn(timeZone, new Date(party.joinedAt));
}

/**
 * Whether somebody had come by this moment, which was on this day for the practice: whoever came that day is often entered
 * once the session is over.
 */
export function hadCome(party: Joined, { at, day }: { at: Date; day: string }): boolean {
  const first = firstDay(party);
  return party.joinedAt === null || new Date(party.joinedAt) <= at || (first !== "" && first <= day);
}

export interface Newcomer {
  label: string;
  /** Empty where it was on the day on which it was entered. */
  on: string;
  /** When it was entered. */
  at: Date;
}

/** Who of these joined later, on another side than this party: people on one side came together. */
export const newcomersTo = (
  party: Pick<Joining, "partyId" | "side">,
  others: readonly Joining[],
  timeZone: string,
): Newcomer[] =>
  others
    .filter((other) => sideOf(other) !== sideOf(party))
    .flatMap((other) =>
      other.joinedAt === null
        ? []
        : [{ label: other.label, on: cameBy(other, timeZone), at: new Date(other.joinedAt) }],
    );
