// Times that somebody outside has chosen and is about to book: for ten minutes they are nobody else's.
import mongoose from "mongoose";
import type { Span } from "@app/shared/spans";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { defineDueTime, openFor } from "../../core/due-times.ts";
import { keyedHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { networkOf, widerNetworksOf } from "../../core/rate-limit.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";

export const HOLD_MS = 10 * MINUTE_MS;
/** A household, an office or a waiting room has as many people who choose at once. */
const HELD_OF_NETWORK = 6;
/** Of a /48, and of a /32 or of IPv4 a /16: whoever has many networks empties no diary. */
const HELD_OF_WIDER = [12, 24];

interface SlotHoldDoc {
  _id: string;
  ownerId: string;
  mediatorId: string;
  /** With what is left free before and after. */
  startsAt: Date;
  endsAt: Date;
  heldUntil: Date;
  /** Of the one who may book it. */
  tokenHash: string;
  /** From which networks it is held, the narrowest first. */
  networkHashes: string[];
}

const required = { type: String, required: true };
const slotHoldMongooseSchema = new mongoose.Schema<SlotHoldDoc>(
  {
    _id: { type: String, default: newId },
    mediatorId: required,
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    heldUntil: { type: Date, required: true },
    tokenHash: required,
    networkHashes: { type: [String], required: true },
  },
  { collection: "slot_holds", versionKey: false },
);
slotHoldMongooseSchema.plugin(owned);
slotHoldMongooseSchema.index({ ownerId: 1, mediatorId: 1, heldUntil: 1 });
slotHoldMongooseSchema.index({ ownerId: 1, tokenHash: 1 });
slotHoldMongooseSchema.index({ ownerId: 1, networkHashes: 1, heldUntil: -1 });
slotHoldMongooseSchema.index({ heldUntil: 1 });
const SlotHoldModel = mongoose.model("SlotHold", slotHoldMongooseSchema);

defineRemoval({ of: "times that were held", keptMs: 0, remove: removeFrom("slot_holds", "heldUntil") });

defineDueTime({
  of: "times that are held",
  times: ["SlotHold.heldUntil"],
  aheadMs: HOLD_MS,
  bringBack: (latest, at) =>
    SlotHoldModel.updateMany({ heldUntil: mongoose.trusted({ $gt: latest }) }, { $set: { heldUntil: at } }).setOptions({
      anyOwner: true,
    }),
});

interface During {
  userIds: readonly string[];
  from: number;
  to: number;
  exceptHoldIds?: readonly string[];
}

const held = (ownerId: string, { userIds, from, to, exceptHoldIds = [] }: During) => ({
  ownerId,
  mediatorId: mongoose.trusted({ $in: [...userIds] }),
  heldUntil: openFor(HOLD_MS),
  startsAt: mongoose.trusted({ $lt: new Date(to) }),
  endsAt: mongoose.trusted({ $gt: new Date(from) }),
  _id: mongoose.trusted({ $nin: [...exceptHoldIds] }),
});

export async function holdsOf(ownerId: string, during: During): Promise<(Span & { mediatorId: string })[]> {
  const found = await SlotHoldModel.find(held(ownerId, during)).lean();
  return found.map(({ mediatorId, startsAt, endsAt }) => ({
    mediatorId,
    from: startsAt.getTime(),
    to: endsAt.getTime(),
  }));
}

export const isHeld = async (ownerId: string, during: During): Promise<boolean> =>
  (await SlotHoldModel.exists(held(ownerId, during))) !== null;

/** Those of one visitor, whatever became of them. */
export const holdIdsOf = (ownerId: string, tokenHash: string): Promise<string[]> =>
  SlotHoldModel.distinct("_id", { ownerId, tokenHash });

/** Those that anybody has with these mediators. */
export const holdIdsWith = (ownerId: string, mediatorIds: readonly string[]): Promise<string[]> =>
  SlotHoldModel.distinct("_id", { ownerId, mediatorId: mongoose.trusted({ $in: [...mediatorIds] }) });

/** What this visitor holds, and with whom; nobody where nothing is held any more. */
export async function ownHold(
  ownerId: string,
  tokenHash: string,
): Promise<{ ids: string[]; mediatorId: string | null }> {
  const found = await SlotHoldModel.find({ ownerId, tokenHash }).sort({ heldUntil: -1 }).lean();
  return { ids: found.map(({ _id }) => _id), mediatorId: found[0]?.mediatorId ?? null };
}

interface Holding extends Omit<SlotHoldDoc, "_id" | "heldUntil" | "networkHashes"> {
  ip: string;
  /** Of one network, where little is free. */
  atMost: number;
}

/** In place of what the same visitor held before. Call it in the transaction that found the time free. */
export async function holdSlot({ ip, atMost, ...hold }: Holding): Promise<Date> {
  await letGo(hold.ownerId, hold.tokenHash);
  const networks = networksOf(ip);
  for (const { hash, most } of networks) await letOldestGo(hold.ownerId, { hash, most: Math.min(most, atMost) });
  const heldUntil = new Date(now().getTime() + HOLD_MS);
  await SlotHoldModel.create([{ ...hold, networkHashes: networks.map(({ hash }) => hash), heldUntil }]);
  return heldUntil;
}

interface HoldingNetwork {
  hash: string;
  most: number;
}

function networksOf(ip: string): HoldingNetwork[] {
  const wider = widerNetworksOf(ip);
  const most = [HELD_OF_NETWORK, ...HELD_OF_WIDER.slice(-wider.length)];
  return [networkOf(ip), ...wider].map((network, index) => ({
    hash: keyedHash(`holding:${network}`),
    most: most[index] ?? HELD_OF_NETWORK,
  }));
}

/** No network keeps a calendar from all others: beyond a few, what it held first is free again. */
async function letOldestGo(ownerId: string, { hash, most }: HoldingNetwork): Promise<void> {
  const tooMany = await SlotHoldModel.find({ ownerId, networkHashes: hash }, { _id: 1 })
    .sort({ heldUntil: -1 })
    .skip(most - 1)
    .lean();
  if (tooMany.length === 0) return;
  const ids = mongoose.trusted({ $in: tooMany.map(({ _id }) => _id) });
  await SlotHoldModel.deleteMany({ ownerId, _id: ids });
}

export const letGo = (ownerId: string, tokenHash: string) => SlotHoldModel.deleteMany({ ownerId, tokenHash });
