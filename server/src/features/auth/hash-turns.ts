// Hashing a password is slow on purpose, so whoever asks for it waits for a turn. Nobody can take the places of others.
import { availableParallelism } from "node:os";
import { outOfTurn } from "../../core/call-turns.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { fairTurns, inTurn as inFairTurn } from "../../core/fair-turns.ts";

/** Where a hash is asked for from. */
export interface Asker {
  /** A device that the person uses, or somebody who proved who they are. */
  isKnown: boolean;
  key: string;
}

/** Somebody who is signed in, or holds a link that was mailed to them. */
export const ofPerson = (key: string): Asker => ({ isKnown: true, key });

/** A core is left for everybody who is not signing in. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** For known and for unknown devices each. */
const PLACES = 200;
const PLACES_OF_NETWORK = 10;
// As many as it may try before it waits.
const PLACES_OF_DEVICE = 5;

interface Line {
  /** How many places each asker has, waiting or at work. */
  held: Map<string, number>;
  taken: number;
}

const newLine = (): Line => ({ held: new Map(), taken: 0 });
const known = newLine();
const unknown = newLine();
const lineOf = ({ isKnown }: Asker): Line => (isKnown ? known : unknown);

/** Holds a place while `work` counts and checks; refuses at once where this asker, or everybody, has too many. */
export async function inPlace<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
  const line = lineOf(asker);
  const held = line.held.get(asker.key) ?? 0;
  if (held >= (asker.isKnown ? PLACES_OF_DEVICE : PLACES_OF_NETWORK))
    throw tooManyRequests("Many are signing in from your network right now. Try again in a minute.");
  if (line.taken >= PLACES) throw tooManyRequests("Many people are signing in right now. Try again in a minute.");
  line.held.set(asker.key, held + 1);
  line.taken += 1;
  try {
    return await work();
  } finally {
    const left = (line.held.get(asker.key) ?? 1) - 1;
    if (left > 0) line.held.set(asker.key, left);
    else line.held.delete(asker.key);
    line.taken -= 1;
  }
}

const takeTurn = fairTurns({ atOnce: AT_ONCE, ofOne: AT_ONCE });

/** Few hashes at a time; known and unknown devices by turns, and of those each device and network by turns. */
export const inTurn = <Result>({ isKnown, key }: Asker, work: () => Promise<Result>): Promise<Result> =>
  outOfTurn(() => inFairTurn(takeTurn, { group: isKnown ? "known devices" : "unknown devices", one: key }, work));
