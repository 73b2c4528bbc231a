// Whoever joins a case later meets people who were screened, and consented, before anybody asked them about it. Free of zod.
import { sideOf } from "./case-states.ts";

interface Joining {
  partyId: string;
  label: string;
  side: string;
  /** Null for those with whom the case began. */
  joinedAt: Date | string | null;
}

export interface Newcomer {
  label: string;
  on: string;
  at: Date;
}

/** Who of these joined later, on another side than this party: people on one side came together. */
export const newcomersTo = (party: Omit<Joining, "label" | "joinedAt">, others: readonly Joining[]): Newcomer[] =>
  others
    .filter((other) => sideOf(other) !== sideOf(party))
    .flatMap(({ label, joinedAt }) => (joinedAt === null ? [] : [{ label, on: "", at: new Date(joinedAt) }]));
