// What follows where another amount is due of an invoice than before: features that stand above this one say it here.
type Follower = (ownerId: string, invoiceId: string) => Promise<void>;

const followers: Follower[] = [];

/** Called once, beside the code that does it; it is done after what changed the amount holds. */
export const defineDueFollower = (follow: Follower): void => void followers.push(follow);

export async function tellDueChanged(ownerId: string, invoiceId: string): Promise<void> {
  for (const follow of followers) await follow(ownerId, invoiceId);
}
