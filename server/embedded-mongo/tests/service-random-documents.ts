// Random documents, indexes and filters over a small world of values, so that things often meet.
import { Binary, BSONRegExp, Decimal128, type Doc, Double, ObjectId, type Value } from "../src/values.ts";

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
const PREFIXES = ["a", "ab", "abc-", "A", "b", "", "\u00e9", "a\u0000"];
const REGEXES = ["^a", "^ab", "^ab?", "b$", "^a|^b", "^abc-", "^abc\\-1", "^", "^\u00e9", "[ab]1"];

/** What a collection's ids are made of; each number makes one of its own. */
export const ID_KINDS: Record<string, (number: number) => Value> = {
  numbers: (number) => [number, new Double(number + 0.5), BigInt(number)][number % 2] ?? number,
  strings: (number) => `${PREFIXES[number % PREFIXES.length]}${number}`,
  objectIds: (number) => new ObjectId(number.toString(16).padStart(24, "0")),
  dates: (number) => new Date((number - 5) * 1_000),
  binaries: (number) => new Binary(Buffer.from([number % 3, number]), number % 4),
  documents: (number) => doc({ x: number % 5, y: `a${number}` }),
};
export type IdOf = (number: number) => Value;
const kinds = Object.values(ID_KINDS);

export const randomIds = (random: Random): IdOf =>
  random.chance(0.3)
    ? (number) => (number === 0 ? null : number === 1 ? true : kinds[number % kinds.length]?.(number))
    : random.pick(kinds);

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
    () => new Binary(Buffer.from([random.below(3)]), random.below(2)),
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

/** `n` tells its number, whatever the id is. */
export function document(random: Random, number: number, idOf: IdOf): Doc {
  const made = doc({ _id: idOf(number), n: number });
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

export const PATHS = ["a", "b", "d.x", "d.y", "t", "s", "d", "t.0", "_id", "_id"];
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
  doc({ key: doc({ a: 1, _id: -1 }) }),
  doc({ key: doc({ _id: 1, a: 1 }) }),
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
    () => doc({ $regex: random.pick(REGEXES) }),
    () => new BSONRegExp(random.pick(REGEXES), random.pick(["", "i"])),
    () => doc({ $in: [new BSONRegExp(random.pick(REGEXES), ""), scalar(random)] }),
    () => doc({ $all: [scalar(random), scalar(random)] }),
    () => doc({ $elemMatch: range() }),
    () => doc({ $elemMatch: doc({ x: condition(random), y: scalar(random) }) }),
    () => doc({ $nin: [scalar(random), null] }),
    () => doc({ $size: random.below(3) }),
  ];
  return random.pick(kinds)();
}

/** What is asked of an id meets some that are there. */
function idCondition(random: Random, idOf: IdOf, most: number): Value {
  const anId = (): Value => idOf(random.below(most + 5));
  const low = random.pick(["$gt", "$gte"]);
  const high = random.pick(["$lt", "$lte"]);
  const kinds: (() => Value)[] = [
    anId,
    () => doc({ $eq: anId() }),
    () => doc({ $ne: anId() }),
    () => doc({ $in: Array.from({ length: random.below(90) }, anId) }),
    () => doc({ $in: [anId(), new BSONRegExp(random.pick(REGEXES), "")] }),
    () => doc({ $in: [anId(), anId(), null], [low]: anId() }),
    () => doc({ $nin: [anId(), anId()] }),
    () => doc({ [low]: anId() }),
    () => doc({ [high]: anId() }),
    () => doc({ [low]: anId(), [high]: anId() }),
    () => new BSONRegExp(random.pick(REGEXES), random.pick(["", "", "i"])),
    () => doc({ $regex: random.pick(REGEXES) }),
    () => doc({ $regex: random.pick(REGEXES), [low]: anId() }),
    () => condition(random),
  ];
  return random.pick(kinds)();
}

export type IdWorld = { idOf: IdOf; most: number };

export function filterFor(random: Random, ids: IdWorld, depth = 0): Doc {
  const made: Doc = new Map();
  for (let count = random.below(4) + (depth === 0 ? 0 : 1); count > 0; count -= 1) {
    const path = random.pick(PATHS);
    made.set(path, path === "_id" ? idCondition(random, ids.idOf, ids.most) : condition(random));
  }
  if (depth < 2 && random.chance(0.25)) {
    const branches = [filterFor(random, ids, depth + 1), filterFor(random, ids, depth + 1)];
    made.set(random.pick(["$or", "$and", "$nor"]), branches);
  }
  return made;
}
