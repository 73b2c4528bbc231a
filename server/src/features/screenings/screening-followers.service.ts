import type { Measure } from "@app/shared/screenings";
import type { Scope } from "../../core/trpc.ts";

export interface FoundMeasures {
  caseId: string;
  partyId: string;
  /** Those that were not agreed for this party before. */
  measures: readonly Measure[];
}

type Follower = (scope: Scope, found: FoundMeasures) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a screening asks for other measures, in its transaction; called once, beside the code that does it. */
export const defineMeasuresFollower = (follow: Follower): void => void followers.push(follow);

export async function tellMeasuresFollowers(...found: Parameters<Follower>): Promise<void> {
  for (const follow of followers) await follow(...found);
}
