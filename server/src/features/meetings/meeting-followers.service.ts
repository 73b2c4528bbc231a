import type { Scope } from "../../core/trpc.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** The meeting in whose place another one comes, or none where it was cancelled. */
interface Change {
  before: MeetingDoc;
  instead: MeetingDoc | null;
}

type Follower = (scope: Scope, change: Change) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a meeting is moved or cancelled, in its transaction; called once, beside the code that does it. */
export const defineMeetingFollower = (follow: Follower): void => void followers.push(follow);

export async function tellMeetingFollowers(scope: Scope, change: Change): Promise<void> {
  for (const follow of followers) await follow(scope, change);
}
