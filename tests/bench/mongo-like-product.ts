// What the product asks of its database, as it asks it: its documents, its projections, one caller and many.
import { readFileSync } from "node:fs";
import type { Collection, Db } from "mongodb";
import { type Figure, median } from "./figure.ts";

interface Client {
  _id: string;
  ownerId: string;
  status: string;
  sortName: string;
  firstName: string;
  lastName: string;
  emails: { address: string; isSafe: boolean }[];
  phones: { number: string; kind: string; isSafe: boolean }[];
  address: { lines: string[]; postcode: string; country: string };
  safeContact: { isDiscreet: boolean; instructions: string; hours: { from: string; to: string }[] };
  tags: string[];
  notes: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const DOCUMENTS = 100_000;
const OWNERS = 500;
const BATCH = 5_000;
const CALLERS = 32;
const NOTES = "what was agreed on the telephone, and whom to tell. ".repeat(10);

const clientOf = (n: number): Client => ({
  _id: `client-${String(n).padStart(10, "0")}`,
  ownerId: `owner-${n % OWNERS}`,
  status: n % 9 === 0 ? "archived" : "active",
  sortName: `surname${(n * 7_919) % 100_003} given${n % 97}`,
  firstName: `Given${n % 97}`,
  lastName: `Surname${(n * 7_919) % 100_003}`,
  emails: [{ address: `person-${n}@example.org`, isSafe: true }],
  phones: [
    { number: `+44 20 7946 ${1_000 + (n % 9_000)}`, kind: "mobile", isSafe: n % 2 === 0 },
    { number: `+44 161 496 ${1_000 + (n % 9_000)}`, kind: "home", isSafe: false },
  ],
  address: { lines: [`${n % 200} High Street`, "Anytown"], postcode: "AB1 2CD", country: "GB" },
  safeContact: { isDiscreet: n % 5 === 0, instructions: "only by text", hours: [{ from: "09:00", to: "17:00" }] },
  tags: [`t${n % 7}`, `t${n % 11}`],
  notes: NOTES,
  version: 1,
  createdAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
  updatedAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
});

const LIST = { firstName: 1, lastName: 1, status: 1, emails: 1, phones: 1, tags: 1, safeContact: 1, version: 1 };

async function seed(clients: Collection<Client>): Promise<void> {
  await clients.createIndexes([{ key: { ownerId: 1, status: 1, sortName: 1, _id: 1 } }, { key: { tags: 1 } }]);
  for (let start = 0; start < DOCUMENTS; start += BATCH)
    await clients.insertMany(Array.from({ length: BATCH }, (_, at) => clientOf(start + at)));
}

type Step = (round: number) => Promise<unknown>;

/** Turn about, so that all meet the same moments of a busy machine. */
async function alone(steps: readonly Step[], rounds: number): Promise<number[]> {
  const times = steps.map((): number[] => []);
  for (let round = -50; round < rounds; round += 1) {
    for (const [at, step] of steps.entries()) {
      const start = performance.now();
      await step(round + 50);
      if (round >= 0) times[at]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

/** All callers do the same at a time, in short spells turn about. */
async function crowded(steps: readonly Step[], spells: number): Promise<number[]> {
  const times = steps.map((): number[] => []);
  for (let spell = -1; spell < spells; spell += 1) {
    for (const [at, step] of steps.entries()) {
      const start = performance.now();
      await Promise.all(
        Array.from({ length: CALLERS }, async (_, caller) => {
          for (let round = 0; round < 5; round += 1) await step((spell + 1) * CALLERS * 5 + caller * 5 + round);
        }),
      );
      if (spell >= 0) times[at]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

const BULK = "x".repeat(100_000);

/** What eight sorts of a hundred megabytes each, all at once, take of the engine's memory at their height. */
async function sortMemory(db: Db, enginePid: number): Promise<number> {
  const bulk = db.collection<{ _id: number; n: number; text: string }>("bulk");
  for (let at = 0; at < 1_000; at += 100)
    await bulk.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: at + n, n: (at + n) % 89, text: BULK })));
  const cursors = Array.from({ length: 8 }, () => bulk.find({}, { batchSize: 1 }).sort({ n: 1 }));
  await Promise.all(cursors.map((cursor) => cursor.next()));
  await Promise.all(cursors.map((cursor) => cursor.close()));
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${enginePid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1_024;
}

export async function benchLikeProduct(db: Db, enginePid: number, commit: () => void): Promise<Figure[]> {
  const clients = db.collection<Client>("clients");
  await seed(clients);
  let next = DOCUMENTS;
  const ping: Step = () => db.command({ ping: 1 });
  const byId: Step = (round) => clients.findOne({ _id: clientOf((round * 7_919) % DOCUMENTS)._id });
  const page: Step = (round) =>
    clients
      .find({ ownerId: `owner-${round % OWNERS}`, status: "active" }, { projection: LIST })
      .sort({ sortName: 1, _id: 1 })
      .limit(20)
      .toArray();
  const update: Step = (round) =>
    clients.updateOne(
      { _id: clientOf((round * 7_919) % DOCUMENTS)._id, ownerId: `owner-${((round * 7_919) % DOCUMENTS) % OWNERS}` },
      { $set: { notes: `changed ${round}`, updatedAt: new Date() }, $inc: { version: 1 } },
    );
  const insert: Step = () => clients.insertOne(clientOf(next++));
  const bare: Step = async () => commit();
  const [pingMs = 0, byIdMs = 0, pageMs = 0] = await alone([ping, byId, page], 1_000);
  const [pingToo = 0, updateMs = 0, insertMs = 0, commitMs = 0] = await alone([ping, update, insert, bare], 300);
  const [crowdPing = 0, crowdById = 0, crowdPage = 0, crowdUpdate = 0, crowdInsert = 0] = await crowded(
    [ping, byId, page, update, insert],
    15,
  );
  const x = { unit: "x ping", goal: "<=" } as const;
  return [
    { ...x, name: "mongo.findClient", value: byIdMs / pingMs, limit: 1.6 },
    { ...x, name: "mongo.page", value: pageMs / pingMs, limit: 4 },
    { ...x, name: "mongo.updateOne", value: updateMs / pingToo, limit: 3 },
    {
      name: "mongo.insertClient",
      value: insertMs / (pingToo + commitMs),
      unit: "x (ping + commit)",
      goal: "<=",
      limit: 1.6,
    },
    { ...x, name: "mongo.findClient32", value: crowdById / crowdPing, limit: 2 },
    { ...x, name: "mongo.page32", value: crowdPage / crowdPing, limit: 7 },
    { ...x, name: "mongo.updateOne32", value: crowdUpdate / crowdPing, limit: 5 },
    { ...x, name: "mongo.insertOne32", value: crowdInsert / crowdPing, limit: 5 },
    { name: "mongo.sortMemory", value: await sortMemory(db, enginePid), unit: "MB", goal: "<=", limit: 600 },
  ];
}
