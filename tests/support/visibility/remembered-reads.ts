// A random case is looked at by some five hundred calls, one after the other, most of which read again what was read before
// them. What nobody wrote into meanwhile is read once, by the very memory that the product has for the calls of one click.
import { inspect } from "node:util";
import { type Memory, memoryOf } from "@app/server/core/memory";
import { isInTransaction } from "@app/server/core/open-transaction";
import mongoose from "mongoose";

const REMEMBERED = new Set(["find", "findOne", "countDocuments"]);

type Ask = () => Promise<unknown>;

/** By collection. */
const memories = new Map<string, (key: string, ask: Ask) => Promise<unknown>>();

function memoryFor(collection: string): (key: string, ask: Ask) => Promise<unknown> {
  const known = memories.get(collection);
  if (known) return known;
  let asked: Ask = () => Promise.resolve();
  const memory: Memory<{ answer: unknown }> = memoryOf([collection], async () => ({ answer: await asked() }));
  const recall = async (key: string, ask: Ask) => {
    asked = ask;
    return (await memory.recall(key))?.answer;
  };
  memories.set(collection, recall);
  return recall;
}

/** Whoever asks may change what they are given. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Date) return new Date(value);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)]));
}

const whole = { depth: Infinity, maxArrayLength: null, maxStringLength: null, breakLength: Infinity } as const;

/** From now on this process reads what it read before out of its memory, until somebody writes, and not in transactions. */
export function rememberReads(): void {
  const { prototype } = mongoose.Query;
  const exec: unknown = Reflect.get(prototype, "exec");
  if (typeof exec !== "function") throw new Error("queries are asked in another way now");
  prototype.exec = async function remembering(this: mongoose.Query<unknown, unknown>) {
    const ask = async (): Promise<unknown> => Reflect.apply(exec, this, []);
    const { lean } = this.mongooseOptions();
    const op = String(Reflect.get(this, "op"));
    if (isInTransaction() || !REMEMBERED.has(op) || (op !== "countDocuments" && lean !== true)) return ask();
    const { signal: _signal, ...options } = this.getOptions();
    const key = inspect([op, this.getFilter(), this.projection(), options], whole);
    const { collectionName } = this.model.collection;
    return copied(await memoryFor(collectionName)(key, ask));
  };
}
