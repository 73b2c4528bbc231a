import type { Measure } from "@app/shared/screenings";
import type { Scope } from "../../core/trpc.ts";

export interface Found {
  caseId: string;
  partyId: string;
  /** Those that were not agreed for this party before. */
  measures: readonly Measure[];
  /** Whether meeting the others is not safe for them, or not as it was agreed. */
  isUnsafe: boolean;
}

type Follower = (scope: Scope, found: Found) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a screening or a review finds something new, in its transaction; called once, beside the code that does it. */
export const defineSafetyFollower = (follow: Follower): void => void followers.push(follow);

export async function tellSafetyFollowers(...found: Parameters<Follower>): Promise<void> {
  for (const follow of followers) await follow(...found);
}

type StrikeFollower = (scope: Scope, struck: Pick<Found, "caseId" | "partyId">) => Promise<void>;
const strikeFollowers: StrikeFollower[] = [];

/** What follows where a screening is struck, whatever it had found, in its transaction; called once, beside the code that does it. */
export const defineStruckFollower = (follow: StrikeFollower): void => void strikeFollowers.push(follow);

export async function tellStruckFollowers(...struck: Parameters<StrikeFollower>): Promise<void> {
  for (const follow of strikeFollowers) await follow(...struck);
}
