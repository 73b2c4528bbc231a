import type { Scope } from "../../core/trpc.ts";

interface Changed {
  clientId: string;
  isUnchecked: boolean;
}
type Follower = (scope: Scope, changed: Changed) => Promise<void>;
const followers: Follower[] = [];

/** What follows where it changes how a client may be reached, in its transaction; called once, beside the code that does it. */
export const defineContactFollower = (follow: Follower): void => void followers.push(follow);

export async function tellContactFollowers(scope: Scope, changed: Changed): Promise<void> {
  for (const follow of followers) await follow(scope, changed);
}
