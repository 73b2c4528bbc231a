// Who has mail that is due, and by what carrier it would leave: looked up anew after a moment.
import mongoose from "mongoose";
import { now, SECOND_MS } from "../../core/clock.ts";
import { type Carrier, carrierOf } from "../mail/mail-from.service.ts";
import { type Lane, laneOf } from "./outbox-lanes.ts";
import { OutboxModel } from "./outbox.model.ts";

const FRESH_MS = SECOND_MS;

export const queuedAndDue = () => ({ state: "queued" as const, dueAt: mongoose.trusted({ $lte: now() }) });
export const NOTICE = { purpose: mongoose.trusted({ $ne: "letter" as const }) };

/** Whose mail waits in one lane. */
export interface Waiting {
  lane: Lane;
  carrier: Carrier;
  writers: Set<string>;
  /** Those of them who have something to be told that cannot wait as long as a letter. */
  ofNotices: Set<string>;
  /** What the mails that wait for its server were last given as their reason. */
  said: string;
}

export interface Look {
  ownerIds: string[];
  laneOf: (ownerId: string, userId: string) => Promise<Lane>;
  waitingOf: (ownerId: string) => Promise<Waiting[]>;
}

let last: { look: Look; at: number } | undefined;

/** What is known of it, where that is new enough. */
export const lastLook = (): Look | undefined =>
  last && performance.now() - last.at < FRESH_MS ? last.look : undefined;

export const forgetLook = (): void => void (last = undefined);

export async function lookAnew(): Promise<Look> {
  const at = performance.now();
  const ownerIds = await OutboxModel.distinct("ownerId", queuedAndDue()).setOptions({ anyOwner: true });
  const carriers = new Map<string, Promise<Carrier>>();
  const carrierFor = (ownerId: string, userId: string) =>
    once(carriers, `${ownerId} ${userId}`, () => carrierOf({ ownerId, userId }));
  const lanes = new Map<string, Promise<Waiting[]>>();
  const look = {
    ownerIds,
    laneOf: async (ownerId: string, userId: string) => laneOf(ownerId, await carrierFor(ownerId, userId)),
    waitingOf: (ownerId: string) =>
      once(lanes, ownerId, () => waitingIn(ownerId, (userId) => carrierFor(ownerId, userId))),
  };
  last = { look, at };
  return look;
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>): Promise<Value> {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}

async function waitingIn(ownerId: string, carrierFor: (userId: string) => Promise<Carrier>): Promise<Waiting[]> {
  const due = { ownerId, ...queuedAndDue() };
  const [writers, ofNotices] = await Promise.all([
    OutboxModel.distinct("createdBy", due),
    OutboxModel.distinct("createdBy", { ...due, ...NOTICE }),
  ]);
  const lanes = new Map<string, Waiting>();
  for (const userId of writers) {
    const carrier = await carrierFor(userId);
    const lane = laneOf(ownerId, carrier);
    const waiting = lanes.get(lane.key) ?? { lane, carrier, writers: new Set(), ofNotices: new Set(), said: "" };
    lanes.set(lane.key, waiting);
    waiting.writers.add(userId);
    if (ofNotices.includes(userId)) waiting.ofNotices.add(userId);
  }
  return [...lanes.values()];
}
