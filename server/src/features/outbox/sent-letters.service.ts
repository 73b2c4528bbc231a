/** A letter that somebody of the practice wrote, and that has left. */
export interface SentLetter {
  ownerId: string;
  mailId: string;
  addresses: readonly string[];
  sentAt: Date;
}

type Follower = (letter: SentLetter) => Promise<void>;
const followers: Follower[] = [];

/** What follows once a letter has left, in the transaction that notes it; called once, beside the code that does it. */
export const defineSentLetterFollower = (follow: Follower): void => void followers.push(follow);

export async function tellLetterSent(letter: SentLetter): Promise<void> {
  for (const follow of followers) await follow(letter);
}
