// From the recipients that are due to what became of each: read in batches, sent side by side, stored as they were sent.
import mongoose from "mongoose";
import { apart } from "../../core/apart.ts";
import { now } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Carrier, Outcome } from "./mailing-carrier.ts";
import type { Claim } from "./mailing-claims.ts";
import { type Addressed, BUSY, lettersFor, type Template } from "./mailing-letters.ts";
import { outcomeKeeper } from "./mailing-outcomes.ts";
import type { Pace } from "./mailing-pace.ts";
import { SUPPRESSED } from "./mailing-recipients.ts";
import type { Sender } from "./mailing-sender.ts";
import { type MailingDoc, type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";

// Whoever was looked up longer ago is looked up again before their mail leaves: at a slow pace a batch lasts minutes.
const FRESH_MS = 1000;
const UNCERTAIN = "Something went wrong while this mail was sent, and it may have left. Ask whether it came.";
const NOT_THEIRS = "Whoever sends this does not work with this client any more.";

interface Way {
  log: Logger;
  template: Template;
  carrier: Carrier;
  pace: Pace;
  isHeld: () => boolean;
  /** Whether it is time to leave the place to others. */
  isOver: () => boolean;
  /** Told of each that has its outcome. */
  step: () => void;
  claim: Claim;
  /** As whom it is sent now; throws where they may not send it any more. */
  sender: () => Promise<Sender>;
}

type Written = Pick<Way, "template" | "log" | "pace" | "sender">;

const MAYBE_TWICE = "It may have arrived twice: the server stopped while it was being sent, and sent it again.";

/**
 * Sends to everybody who is due, as long as the mailing is held, nobody else's turn has come, and the next mail may go
 * soon. What was on its way when a process died goes out again
 * under the same Message-ID, and says so.
 */
export async function sendDue(mailing: MailingDoc, way: Way): Promise<void> {
  const { carrier, pace, isHeld, isOver, step, claim, sender } = way;
  const letters = lettersDue(mailing, way);
  const outcomes = outcomeKeeper(mailing.ownerId);
  const lane = async () => {
    for await (const { readAt, ...addressed } of letters) {
      const { item } = addressed;
      if (isOver() || (addressed.letter && !(await pace.turn()))) return;
      if (!isHeld() || outcomes.hasFailed()) return;
      const isFresh = performance.now() - readAt < FRESH_MS;
      const [last = addressed] = isFresh ? [] : await lettersFor(mailing, [item], way);
      const isTheirs = (await sender()).mayWriteTo(last.item);
      if (last.letter && !isTheirs) outcomes.note(last.item, { state: "skipped", reason: NOT_THEIRS });
      else if (!last.letter) outcomes.note(last.item, told(item, await outcomeOf(last, way)));
      else {
        const claimed = await claim(last.item);
        if (claimed === "on the list") outcomes.note(last.item, { state: "skipped", reason: SUPPRESSED });
        if (claimed === "theirs") outcomes.note(last.item, told(item, await outcomeOf(last, way)));
      }
      step();
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(carrier.lanes, pace.lanesMax) }, lane));
  // Also where a lane broke off: what was sent must not go out again.
  await outcomes.stored();
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
}

/** What becomes of one mail; a sender that fails in a way of its own may have sent it. */
async function outcomeOf(addressed: Addressed, { carrier, log }: Pick<Way, "carrier" | "log">): Promise<Outcome> {
  const { item, letter } = addressed;
  if (!letter) return { state: addressed.state, reason: addressed.whyNot };
  let outcome: Outcome = { state: "uncertain", reason: UNCERTAIN };
  await apart(async () => (outcome = await carrier.send(letter)), {
    item: { mailingItemId: item._id },
    log,
    setAside: () => Promise.resolve(),
    putBack: async () => void (outcome = { state: "put back", reason: BUSY }),
  });
  return outcome;
}

const told = ({ isLeaving }: MailingItemDoc, outcome: Outcome): Outcome =>
  isLeaving && outcome.state === "sent"
    ? { ...outcome, reason: `${outcome.reason} ${MAYBE_TWICE}`.trim(), isPerhapsTwice: true }
    : outcome;

interface Batch {
  letters: Addressed[];
  readAt: number;
}

/** Reads the next batch while this one is sent: a mail server must not wait for a database. */
async function* lettersDue(mailing: MailingDoc, way: Written): AsyncGenerator<Addressed & { readAt: number }> {
  const readAfter = async (id: string): Promise<Batch> => {
    const readAt = performance.now();
    return { letters: await lettersFor(mailing, await itemsAfter(mailing, id, way.pace.readMax), way), readAt };
  };
  let batch = await readAfter("");
  while (batch.letters.length > 0) {
    const next = readAfter(batch.letters.at(-1)?.item._id ?? "");
    // Whoever waits for it hears of a failure; until then it is nobody's.
    next.catch(() => undefined);
    yield* keptFresh(mailing, batch, way);
    batch = await next;
  }
}

/** Looks up again together, as many as will leave before they are old, what one by one would cost as many questions. */
async function* keptFresh(
  mailing: MailingDoc,
  { letters, readAt }: Batch,
  way: Written,
): AsyncGenerator<Addressed & { readAt: number }> {
  const waiting = [...letters];
  for (let fresh = waiting.length, left = 0; waiting.length > 0; left += 1) {
    if (left === fresh || performance.now() - readAt > FRESH_MS / 2) {
      fresh = Math.max(1, left === fresh ? 2 * left : left);
      left = 0;
      readAt = performance.now();
      const items = waiting.slice(0, fresh).map(({ item }) => item);
      waiting.splice(0, items.length, ...(await lettersFor(mailing, items, way)));
    }
    const first = waiting.shift();
    if (first) yield { ...first, readAt };
  }
}

const itemsAfter = ({ ownerId, _id: mailingId }: MailingDoc, id: string, max: number): Promise<MailingItemDoc[]> =>
  MailingItemModel.find({
    ownerId,
    mailingId,
    state: "waiting",
    _id: mongoose.trusted({ $gt: id }),
    dueAt: mongoose.trusted({ $lte: now() }),
  })
    .sort({ _id: 1 })
    .limit(max)
    .lean();
