import { isIPv6 } from "node:net";
import mongoose, { Schema } from "mongoose";
import { now } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";

export interface Limit {
  /** So many tries, then a pause. */
  tries: number;
  pauseMs: number;
  /** Each further pause is twice as long, up to this. */
  longestPauseMs: number;
  /** Without a try for so long, everything is forgotten. */
  memoryMs: number;
}

export interface Taken {
  isAllowed: boolean;
  /** Tries left before the next pause. */
  remaining: number;
  pauseMs: number;
}

const rateLimitSchema = new Schema(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    pauses: { type: Number, required: true },
    open_at: { type: Date, required: true },
    // How long its last pause is: it cannot be further from its end.
    pause_ms: Number,
    expires_at: { type: Date, required: true },
  },
  { collection: "rate_limits", versionKey: false },
);
rateLimitSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
const RateLimitModel = mongoose.model("RateLimit", rateLimitSchema);

const ROUNDS_MAX = 5;
const DOUBLINGS_MAX = 20;

/**
 * Counts one try before it is made, in one atomic step, so that parallel tries cannot slip through. It lives in the
 * database: a restart forgets nothing, and a database that fails refuses (the error passes on to the caller).
 */
export async function countAttempt(key: string, limit: Limit): Promise<Taken> {
  await RateLimitModel.deleteOne({ _id: key, expires_at: mongoose.trusted({ $lte: now() }) });
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const counted = await countOne(key, limit);
    if (counted) return pauseIfUsedUp(key, limit, counted);
    const pauseMs = await pauseLeftMs(key);
    if (pauseMs > 0) return { isAllowed: false, remaining: 0, pauseMs };
  }
  return { isAllowed: false, remaining: 0, pauseMs: limit.pauseMs };
}

/** Null while the key is paused, or where another first try was faster. */
async function countOne(key: string, limit: Limit) {
  const at = now();
  try {
    return await RateLimitModel.findOneAndUpdate(
      { _id: key, open_at: mongoose.trusted({ $lte: at }) },
      {
        $inc: { count: 1 },
        $set: { expires_at: new Date(at.getTime() + limit.memoryMs) },
        // Long ago, so that a clock set back does not make a pause of it.
        $setOnInsert: { pauses: 0, open_at: new Date(0) },
      },
      { upsert: true, returnDocument: "after", lean: true },
    );
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

async function pauseIfUsedUp(key: string, limit: Limit, counted: { count: number; pauses: number }): Promise<Taken> {
  const pauseMs = Math.min(limit.pauseMs * 2 ** Math.min(counted.pauses, DOUBLINGS_MAX), limit.longestPauseMs);
  const remaining = Math.max(limit.tries - counted.count, 0);
  if (counted.count < limit.tries) return { isAllowed: true, remaining, pauseMs };
  const openAt = new Date(now().getTime() + pauseMs);
  await RateLimitModel.updateOne(
    { _id: key, count: mongoose.trusted({ $gte: limit.tries }) },
    {
      $set: { count: 0, open_at: openAt, pause_ms: pauseMs, expires_at: new Date(openAt.getTime() + limit.memoryMs) },
      $inc: { pauses: 1 },
    },
  );
  return { isAllowed: counted.count === limit.tries, remaining, pauseMs };
}

/** Whether a pause runs, without counting. One that would last longer than it ever was began by a wrong clock. */
export async function pauseLeftMs(key: string): Promise<number> {
  const known = await RateLimitModel.findById(key).lean();
  if (!known) return 0;
  const { open_at: openAt, expires_at: expiresAt } = known;
  const leftMs = openAt.getTime() - now().getTime();
  const tooMuchMs = leftMs - (known.pause_ms ?? leftMs);
  if (tooMuchMs <= 0) return Math.max(leftMs, 0);
  const earlier = (time: Date) => new Date(time.getTime() - tooMuchMs);
  const anew = { open_at: earlier(openAt), expires_at: earlier(expiresAt) };
  await RateLimitModel.updateOne({ _id: key, open_at: openAt }, { $set: anew });
  return leftMs - tooMuchMs;
}

/** The try succeeded: what was counted against this key is forgotten. */
export async function clearAttempts(key: string): Promise<void> {
  await RateLimitModel.deleteOne({ _id: key });
}

/** One try was not one after all: it is taken back from the count, and what others counted stays. */
export async function giveBackTry(key: string): Promise<void> {
  await RateLimitModel.updateOne({ _id: key, count: mongoose.trusted({ $gt: 0 }) }, { $inc: { count: -1 } });
}

/** `clearAttempts` for a key and all that stand under it, after a colon. */
export async function forgiveAllTries(key: string): Promise<void> {
  // A semicolon is the next sign after a colon.
  const under = mongoose.trusted({ $gte: `${key}:`, $lt: `${key};` });
  await RateLimitModel.deleteMany({ $or: [{ _id: key }, { _id: under }] });
}

/** What one subscriber holds, and can change freely within: an IPv4 address, or 64 bits of an IPv6 one. */
export function networkOf(ip: string): string {
  if (isIPv4Address(ip)) return ip;
  return groupsOf(ip).slice(0, 4).join(":");
}

/** What somebody who has many networks holds them within, the narrower first: /48 and /32, of IPv4 /16. */
export function widerNetworksOf(ip: string): string[] {
  if (isIPv4Address(ip)) return [`${ip.replace(/^.*:/, "").split(".").slice(0, 2).join(".")}/16`];
  const groups = groupsOf(ip);
  return [`${groups.slice(0, 3).join(":")}/48`, `${groups.slice(0, 2).join(":")}/32`];
}

/** Also as it is written within IPv6. */
export const isIPv4Address = (ip: string): boolean => !isIPv6(ip) || ip.includes(".");

function groupsOf(ip: string): string[] {
  const [before = [], after = []] = ip.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after];
}

/** A pause in words: "15 minutes", "30 seconds". */
export function describePause(ms: number): string {
  if (ms < 60_000) return countOf(Math.max(Math.ceil(ms / 1000), 1), "second");
  if (ms < 2 * 60 * 60_000) return countOf(Math.ceil(ms / 60_000), "minute");
  return countOf(Math.ceil(ms / (60 * 60_000)), "hour");
}

const countOf = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
