import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { PUT_BACK_MS } from "../../core/apart.ts";
import { MINUTE_MS, now } from "../../core/clock.ts";
import type { Outcome } from "./mailing-carrier.ts";
import { type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";

// A database that makes each write durable by itself is spared most of them.
const GATHERED_MS = 10;
const ATTEMPTS_MAX = 4;
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
/** Nobody waits longer for the next try. */
export const LATER_MAX_MS = 60 * MINUTE_MS;

/** Nobody said yet what became of it. */
const OPEN = mongoose.trusted({ $in: ["waiting", "leaving"] as const });

type Noted = [MailingItemDoc, Outcome];

/** Stores outcomes while further mails are sent: all that came in meanwhile in one go. */
export function outcomeKeeper(ownerId: string) {
  const kept: Noted[] = [];
  let storing: Promise<void> | undefined;
  let failure: unknown;
  const storeAll = async () => {
    while (kept.length > 0) {
      await sleep(GATHERED_MS);
      await store(ownerId, kept.splice(0));
    }
    storing = undefined;
  };
  return {
    note(item: MailingItemDoc, outcome: Outcome) {
      kept.push([item, outcome]);
      storing ??= storeAll().catch((error: unknown) => {
        failure = error;
      });
    },
    hasFailed: () => failure !== undefined,
    /** Resolves when everything noted is stored; throws where something could not be. */
    async stored() {
      await storing;
      if (failure !== undefined) throw failure;
    },
  };
}

const isPlain = ({ state, reason }: Outcome) => state === "sent" && reason === "";

async function store(ownerId: string, outcomes: Noted[]): Promise<void> {
  const sent = outcomes.flatMap(([{ _id }, outcome]) => (isPlain(outcome) ? _id : []));
  if (sent.length > 0)
    await MailingItemModel.updateMany(
      { ownerId, _id: mongoose.trusted({ $in: sent }) },
      { $set: { state: "sent", reason: "", isLeaving: false, sentAt: now() }, $inc: { attempts: 1 } },
    );
  for (const [item, outcome] of outcomes) if (!isPlain(outcome)) await storeOne(ownerId, item, outcome);
}

async function storeOne(
  ownerId: string,
  item: MailingItemDoc,
  { state, reason, isPerhapsTwice }: Outcome,
): Promise<void> {
  const { _id, attempts, isLeaving } = item;
  if (state === "put back") {
    const dueAt = new Date(now().getTime() + PUT_BACK_MS);
    return void (await MailingItemModel.updateOne(
      { ownerId, _id, state: OPEN },
      { $set: { state: "waiting", reason, isLeaving, dueAt } },
    ));
  }
  const isOver = state === "waiting" && attempts + 1 >= ATTEMPTS_MAX;
  await MailingItemModel.updateOne(
    // That it was sent is true whoever says it; anything else only as long as nobody said more.
    { ownerId, _id, ...(state === "sent" ? {} : { state: OPEN }) },
    {
      $set: {
        reason,
        isLeaving: false,
        state: isOver ? "failed" : state,
        dueAt: new Date(now().getTime() + (state === "waiting" ? (RETRY_MS[attempts] ?? 0) : 0)),
        ...(state === "sent" ? { sentAt: now() } : {}),
        ...(isPerhapsTwice ? { isPerhapsTwice } : {}),
      },
      $inc: { attempts: 1 },
    },
  );
}
