// Hashing a password is slow on purpose, so whoever asks for it waits for a turn. Nobody can take the places of others.
import { availableParallelism } from "node:os";
import { outOfTurn } from "../../core/call-turns.ts";
import { callerGone } from "../../core/caller.ts";
import { busy } from "../../core/errors.ts";
import { fairTurns, inTurn as inFairTurn } from "../../core/fair-turns.ts";
import { compareAsks, forgetAsk, noteAsk, placesAround } from "./recent-asks.ts";

/** Where a hash is asked for from: a device that the person uses, or somebody who proved who they are; else a network. */
export type Asker = { isKnown: true; key: string } | { isKnown: false; key: string; ip: string; isNewcomer?: true };

/** Somebody who is signed in, or holds a link that was mailed to them. */
export const ofPerson = (key: string): Asker => ({ isKnown: true, key });

/** A core is left for everybody who is not signing in. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** The tries of one more are counted meanwhile. */
const BEGUN = AT_ONCE + 1;
/** What can be worked on within so long may wait, in each line; three times as long where all are full. */
const LINE_MS = 2000;
/** Who waits longer is told, before the deadline of the call does. */
const PATIENCE_MS = 7000;
const PLACES = { least: 8, most: 200 };
/** How long a turn takes, until it has been seen; of what is seen then each counts for so much. */
const FIRST_TURN_MS = 200;
const NEWS = 0.1;

const allBusy = () => busy("Many people are signing in right now. Try again in a minute.");

interface Waiting {
  places: ReturnType<typeof placesAround>;
  /** In the order in which they came. */
  number: number;
  begin: () => void;
  leave: () => void;
}

interface Line {
  waiting: Set<Waiting>;
  working: number;
  lastNumber: number;
}

const newLine = (): Line => ({ waiting: new Set(), working: 0, lastNumber: 0 });
const LINES = {
  "known devices": newLine(),
  "unknown devices": newLine(),
  /** Whoever opens a practice waits for none of those who guess passwords, and has none of them wait. */
  newcomers: newLine(),
};
const nameOfLine = (asker: Asker): keyof typeof LINES => {
  if (asker.isKnown) return "known devices";
  return asker.isNewcomer ? "newcomers" : "unknown devices";
};
const lineOf = (asker: Asker): Line => LINES[nameOfLine(asker)];
const placesOf = (asker: Asker) => (asker.isKnown ? [{ name: asker.key, share: 1 }] : placesAround(asker.ip));

let turnMs = FIRST_TURN_MS;
let lastNumber = 0;

const roomOf = (): number => Math.min(Math.max(Math.floor((LINE_MS * BEGUN) / turnMs), PLACES.least), PLACES.most);
const isFull = ({ waiting }: Line): boolean => waiting.size >= roomOf();

/**
 * Who asked least of late stands first. Of those who asked as much it is the newest where the line is long: whoever
 * waited then may be too late anyway, and those who come anew are served in time.
 */
function compareIn({ waiting }: Line): (a: Waiting, b: Waiting) => number {
  const direction = waiting.size > roomOf() / 2 ? -1 : 1;
  return (a, b) => compareAsks(a.places, b.places) || direction * (a.number - b.number);
}

function firstOf(line: Line): Waiting | undefined {
  const compare = compareIn(line);
  return [...line.waiting].reduce<Waiting | undefined>((a, b) => (a && compare(a, b) <= 0 ? a : b), undefined);
}

function lastOf(line: Line): Waiting | undefined {
  const compare = compareIn(line);
  return [...line.waiting].reduce<Waiting | undefined>((a, b) => (a && compare(a, b) >= 0 ? a : b), undefined);
}

/** Throws at once where a full line would have no turn for this asker, before anything is looked up for them. */
export function assertRoom(asker: Asker): void {
  const line = lineOf(asker);
  const last = isFull(line) ? lastOf(line) : undefined;
  const places = placesOf(asker);
  if (!last || compareAsks(places, last.places) <= 0) return;
  noteAsk(places);
  throw allBusy();
}

/** The lines by turns. */
function goOn(): void {
  const lines = Object.values(LINES);
  while (lines.reduce((sum, { working }) => sum + working, 0) < BEGUN) {
    const asked = lines.filter(({ waiting }) => waiting.size > 0);
    const [line] = asked.toSorted((a, b) => a.working - b.working || a.lastNumber - b.lastNumber);
    const next = line && firstOf(line);
    if (!line || !next) return;
    line.waiting.delete(next);
    line.working += 1;
    line.lastNumber = lastNumber += 1;
    next.begin();
  }
}

/** Gives what ends the turn, once it has come. Throws where others come first for too long, or nobody waits for it. */
async function turnFor(asker: Asker): Promise<() => void> {
  const line = lineOf(asker);
  const turn = Promise.withResolvers<void>();
  const mine: Waiting = { places: placesOf(asker), number: (lastNumber += 1), begin: turn.resolve, leave };
  // At once: nobody's turn comes who has left.
  function leave(): void {
    line.waiting.delete(mine);
    turn.reject(allBusy());
  }
  noteAsk(mine.places);
  if (isFull(line)) lastOf(line)?.leave();
  line.waiting.add(mine);
  goOn();
  const gone = callerGone();
  gone?.addEventListener("abort", leave, { once: true });
  if (gone?.aborted) leave();
  const timer = setTimeout(leave, PATIENCE_MS);
  try {
    await turn.promise;
  } finally {
    clearTimeout(timer);
    gone?.removeEventListener("abort", leave);
  }
  const began = performance.now();
  return () => {
    turnMs += NEWS * (performance.now() - began - turnMs);
    line.working -= 1;
    goOn();
  };
}

/**
 * Has a place while `work` counts and checks, so that no try is counted of whoever was not heard. Refused at once is
 * whoever would not have a turn in time: those who asked most of late.
 */
export async function inPlace<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
  assertRoom(asker);
  return outOfTurn(async () => {
    const end = await turnFor(asker);
    try {
      return await work();
    } finally {
      end();
    }
  });
}

/** The password was right. */
export const servedWell = (asker: Asker, account: string): void => {
  if (!asker.isKnown) forgetAsk(placesOf(asker), account);
};

const takeTurn = fairTurns({ atOnce: AT_ONCE, ofOne: AT_ONCE });

/** Few hashes at a time; the lines by turns, and of those each device and network by turns. */
export const inTurn = <Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> =>
  outOfTurn(() => inFairTurn(takeTurn, { group: nameOfLine(asker), one: asker.key }, work));
