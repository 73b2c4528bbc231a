import type { Scope } from "../../core/trpc.ts";
import type { SessionDoc } from "./sessions.model.ts";

type Follower = (scope: Scope, before: SessionDoc, after: SessionDoc) => Promise<void>;
const followers: Follower[] = [];

/** What follows from each change of a session, in its transaction; called once, beside the code that does it. */
export const defineSessionFollower = (follow: Follower): void => void followers.push(follow);

export async function tellSessionFollowers(...change: Parameters<Follower>): Promise<void> {
  for (const follow of followers) await follow(...change);
}
