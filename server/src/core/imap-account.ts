// How much a mail server may say on a connection: what was asked for, and unasked little by little. Counted before it is
// kept, in the thread that reads it.
import type { Asked } from "./imap-messages.ts";

const KB = 1024;
const MB = 1024 * KB;
const UNASKED_BYTES = MB;
const UNASKED_BYTES_A_SECOND = 16 * KB;
const ANSWER_BYTES = 64 * KB;
const FOLDERS_BYTES = 2 * MB;
const NUMBERS_BYTES = 4 * MB;
// The fields of a header come whole, however long its sender made them, and so does the structure of a mail.
const FETCH_MARGIN_BYTES = 32 * MB;
const MAIL_BYTES = 64 * KB;
// Answers that are larger come one after another.
const LARGE_BYTES = 2 * MB;
const LARGE_MAX_MS = 10_000;

/** The most that the answer to this may bring. */
export function answerBytes(asked: Asked, countOfMails: number): number {
  if (asked.method === "list") return FOLDERS_BYTES;
  if (asked.method === "search") return NUMBERS_BYTES + ANSWER_BYTES;
  if (asked.method !== "fetch") return ANSWER_BYTES;
  const parts = asked.query.bodyParts ?? [];
  const wanted = parts.reduce((sum, { maxLength }) => sum + maxLength, MAIL_BYTES);
  return FETCH_MARGIN_BYTES + countOfMails * wanted;
}

interface Measure {
  most: number;
  aSecond: number;
}

/** Something of which there is so much at most, and which comes back by and by. */
export function supplyOf({ most, aSecond }: Measure) {
  let left = most;
  let at = performance.now();
  return {
    /** False where that was too much. */
    take(amount: number): boolean {
      const now = performance.now();
      left = Math.max(left, Math.min(most, left + ((now - at) / 1000) * aSecond)) - amount;
      at = now;
      return left >= 0;
    },
    add: (amount: number) => void (left += amount),
    settle: () => void (left = Math.min(left, most)),
  };
}

/** Which connection takes a large answer; the others wait, their servers with them. */
export interface Turns {
  holder: { account: object; lose: () => void; since: number } | null;
  waiting: { account: object; start: () => void }[];
}

export interface Account {
  asks: (bytes: number) => void;
  isAnswered: () => void;
  /** Whether so much more may come in; late where others have to be through with theirs. */
  take: (bytes: number) => boolean | Promise<boolean>;
  leave: () => void;
}

export function newAccount(turns: Turns): Account {
  const supply = supplyOf({ most: UNASKED_BYTES, aSecond: UNASKED_BYTES_A_SECOND });
  const account = {};
  let asking = 0;
  let taken = 0;
  let isLost = false;
  const hold = () => (turns.holder = { account, lose: () => (isLost = true), since: performance.now() });
  const leave = () => {
    turns.waiting = turns.waiting.filter((one) => one.account !== account);
    if (turns.holder?.account === account) handOn(turns);
  };
  return {
    asks(bytes) {
      asking += 1;
      supply.add(bytes);
    },
    isAnswered() {
      asking -= 1;
      if (asking > 0) return;
      supply.settle();
      taken = 0;
      leave();
    },
    take(bytes) {
      taken += bytes;
      if (isLost || !supply.take(bytes)) return false;
      if (taken <= LARGE_BYTES || turns.holder?.account === account) return true;
      if (!turns.holder) {
        hold();
        return true;
      }
      return new Promise((resolve) => {
        const start = () => {
          hold();
          resolve(true);
        };
        turns.waiting.push({ account, start });
        hurry(turns);
      });
    },
    leave,
  };
}

function handOn(turns: Turns): void {
  turns.holder = null;
  turns.waiting.shift()?.start();
  if (turns.waiting.length > 0) hurry(turns);
}

/** Whoever lets the others wait too long has had their turn. */
function hurry(turns: Turns): void {
  const { holder } = turns;
  if (!holder) return;
  const leftMs = LARGE_MAX_MS - (performance.now() - holder.since);
  setTimeout(() => {
    if (turns.holder !== holder || turns.waiting.length === 0) return;
    holder.lose();
    handOn(turns);
  }, leftMs).unref();
}
