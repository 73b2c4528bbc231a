// Random documents, indexes and filters over a small world of values, so that things often meet.
import {
  BSONRegExp,
  Decimal128,
  type Doc,
  Double,
  ObjectId,
  type Value,
} from "../../server/src/embedded-mongo/values.ts";

export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  return { below, pick, chance: (share: number): boolean => next() < share };
}
export type Random = ReturnType<typeof randomFrom>;

export const doc = (fields: Record<string, Value>): Doc => new Map(Object.entries(fields));
const IDS = [1, 2, 3].map((n) => new ObjectId(`${n}`.repeat(24)));

export function scalar(random: Random): Value {
  const kinds: (() => Value)[] = [
    () => random.below(5),
    () => random.below(5),
    () => random.below(5) + 0.5,
    () => BigInt(random.below(5)),
    () => new Double(random.below(5)),
    () => Decimal128.fromString(`${random.below(5)}.5`),
    () => random.pick(["a", "ab", "abc", "A", "b", "B", ""]),
    () => random.pick(["a", "ab", "abc", "A", "b", "B", ""]),
    () => new Date(random.below(4)),
    () => random.pick(IDS),
    () => random.chance(0.5),
    () => null,
    () => Number.NaN,
  ];
  return random.pick(kinds)();
}

function value(random: Random, depth = 0): Value {
  if (depth < 2 && random.chance(0.25)) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  if (depth < 2 && random.chance(0.25)) return part(random, depth + 1);
  return scalar(random);
}

function part(random: Random, depth: number): Doc {
  const made: Doc = new Map();
  for (const name of ["x", "y"]) if (random.chance(0.7)) made.set(name, value(random, depth));
  return made;
}

export function document(random: Random, id: number): Doc {
  const made = doc({ _id: id });
  for (const name of ["a", "b"])
    if (random.chance(0.8)) made.set(name, random.chance(0.8) ? scalar(random) : value(random));
  if (random.chance(0.8))
    made.set(
      "d",
      random.chance(0.5) ? part(random, 1) : Array.from({ length: random.below(3) }, () => part(random, 2)),
    );
  if (random.chance(0.7))
    made.set("t", random.chance(0.7) ? Array.from({ length: random.below(4) }, () => scalar(random)) : scalar(random));
  if (random.chance(0.5)) made.set("s", random.pick(["x", "X", "y", "Y", "z"]));
  return made;
}

export const PATHS = ["a", "b", "d.x", "d.y", "t", "s", "d", "t.0", "_id"];
export const insensitive = doc({ locale: "en", strength: 2 });

export const INDEXES: Doc[] = [
  doc({ key: doc({ a: 1 }) }),
  doc({ key: doc({ a: -1, b: 1 }) }),
  doc({ key: doc({ "d.x": 1, "d.y": -1 }) }),
  doc({ key: doc({ t: 1, a: 1 }) }),
  doc({ key: doc({ b: 1, a: -1, "d.x": 1 }) }),
  doc({ key: doc({ t: -1 }) }),
  doc({ key: doc({ d: 1 }) }),
  doc({ key: doc({ s: 1, a: 1 }) }),
  doc({ key: doc({ "t.0": 1 }) }),
  doc({ key: doc({ a: 1 }), sparse: true }),
  doc({ key: doc({ "d.y": 1, b: 1 }), sparse: true }),
  doc({ key: doc({ a: 1 }), partialFilterExpression: doc({ b: doc({ $gt: 1 }) }) }),
  doc({ key: doc({ b: 1 }), partialFilterExpression: doc({ a: doc({ $exists: true }) }) }),
  doc({ key: doc({ t: 1 }), partialFilterExpression: doc({ s: doc({ $type: "string" }) }) }),
  doc({ key: doc({ s: 1 }), collation: insensitive }),
];

function condition(random: Random): Value {
  const range = (): Doc =>
    doc({
      [random.pick(["$gt", "$gte"])]: scalar(random),
      ...(random.chance(0.5) ? { [random.pick(["$lt", "$lte"])]: scalar(random) } : {}),
    });
  const kinds: (() => Value)[] = [
    () => scalar(random),
    () => scalar(random),
    () => value(random),
    () => doc({ $eq: scalar(random) }),
    () => doc({ $in: Array.from({ length: random.below(4) }, () => scalar(random)) }),
    range,
    range,
    () => doc({ [random.pick(["$lt", "$lte"])]: scalar(random) }),
    () => doc({ $ne: scalar(random) }),
    () => doc({ $exists: random.chance(0.6) }),
    () => doc({ $not: range() }),
    () => doc({ $type: random.pick(["string", "number", "date", "array", "null"]) }),
    () => doc({ $regex: random.pick(["^a", "^ab", "^ab?", "b$", "^a|^b"]) }),
    () => new BSONRegExp(random.pick(["^a", "^A", "^b"]), random.pick(["", "i"])),
    () => doc({ $all: [scalar(random), scalar(random)] }),
    () => doc({ $elemMatch: range() }),
    () => doc({ $elemMatch: doc({ x: condition(random), y: scalar(random) }) }),
    () => doc({ $nin: [scalar(random), null] }),
    () => doc({ $size: random.below(3) }),
  ];
  return random.pick(kinds)();
}

export function filterFor(random: Random, depth = 0): Doc {
  const made: Doc = new Map();
  for (let count = random.below(4) + (depth === 0 ? 0 : 1); count > 0; count -= 1)
    made.set(random.pick(PATHS), condition(random));
  if (depth < 2 && random.chance(0.25))
    made.set(random.pick(["$or", "$and", "$nor"]), [filterFor(random, depth + 1), filterFor(random, depth + 1)]);
  return made;
}
