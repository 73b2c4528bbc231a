// Hashing a password is slow on purpose, so whoever asks for it waits for a turn. Nobody can take the places of others.
import { tooManyRequests } from "../../core/errors.ts";

/** Where a hash is asked for from. */
export interface Asker {
  /** A device that the person uses, or somebody who proved who they are. */
  isKnown: boolean;
  key: string;
}

/** Somebody who is signed in, or holds a link that was mailed to them. */
export const ofPerson = (key: string): Asker => ({ isKnown: true, key });

const AT_ONCE_MAX = 2;
/** For strangers and for known devices each. */
const PLACES = 200;
const PLACES_OF_NETWORK = 10;
// As many as it may try before it waits.
const PLACES_OF_DEVICE = 5;

interface Line {
  /** How many places each asker has, waiting or at work. */
  held: Map<string, number>;
  taken: number;
  waiting: (() => void)[];
}

const newLine = (): Line => ({ held: new Map(), taken: 0, waiting: [] });
const known = newLine();
const strangers = newLine();
const lineOf = ({ isKnown }: Asker): Line => (isKnown ? known : strangers);

let running = 0;
let lastServed = strangers;

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

/** At most two hashes at a time, so that a storm of sign-ins leaves the machine to everybody else. */
export async function inTurn<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => lineOf(asker).waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The turn is handed on; nobody can take it in between.
    const next = nextInTurn();
    if (next) next();
    else running -= 1;
  }
}

/** From both lines by turns, so that neither keeps the other waiting. */
function nextInTurn(): (() => void) | undefined {
  const other = lastServed === known ? strangers : known;
  lastServed = other.waiting.length > 0 ? other : lastServed;
  return lastServed.waiting.shift();
}
