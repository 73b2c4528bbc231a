import type { Scope } from "../../core/trpc.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** The meeting in whose place another one comes, or none where it was cancelled. */
interface Change {
  before: MeetingDoc;
  instead: MeetingDoc | null;
}

type HeldFollower = (scope: Scope, before: MeetingDoc, after: MeetingDoc) => Promise<void>;
const heldFollowers: HeldFollower[] = [];

/** What follows where it is recorded that a meeting was held, who came, or what it was, in its transaction; called once, as above. */
export const defineHeldFollower = (follow: HeldFollower): void => void heldFollowers.push(follow);

export async function tellHeldFollowers(...change: Parameters<HeldFollower>): Promise<void> {
  for (const follow of heldFollowers) await follow(...change);
}

type Follower = (scope: Scope, change: Change) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a meeting is moved or cancelled, in its transaction; called once, beside the code that does it. */
export const defineMeetingFollower = (follow: Follower): void => void followers.push(follow);

export async function tellMeetingFollowers(scope: Scope, change: Change): Promise<void> {
  for (const follow of followers) await follow(scope, change);
}
