import type { Scope } from "../../core/trpc.ts";

type Follower = (scope: Scope, userId: string) => Promise<void>;
const followers: Follower[] = [];

/** What follows where somebody may not see children any more, or may again, in its transaction; called once, beside the code that does it. */
export const defineRegistrationFollower = (follow: Follower): void => void followers.push(follow);

export async function tellRegistrationFollowers(...change: Parameters<Follower>): Promise<void> {
  for (const follow of followers) await follow(...change);
}
