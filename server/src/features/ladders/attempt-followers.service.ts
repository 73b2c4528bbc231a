import type { Scope } from "../../core/trpc.ts";

type Follower = (scope: Scope, caseId: string) => Promise<void>;
const followers: Follower[] = [];

/** What follows where an attempt turns out to be none, in its transaction; called once, beside the code that does it. */
export const defineStrikeFollower = (follow: Follower): void => void followers.push(follow);

/** An attempt of this case is none, or has reached nobody. */
export async function tellStruck(scope: Scope, caseId: string): Promise<void> {
  for (const follow of followers) await follow(scope, caseId);
}
