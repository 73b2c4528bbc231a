// Small answers for shells and tools, as commands and as first stages of a pipeline.
import { hostname } from "node:os";
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import type { Collection } from "../store/collection.ts";
import { checkFile } from "../store/integrity.ts";
import { type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import * as field from "./fields.ts";
import { SERVER_VERSION, SET_NAME } from "./handshake-commands.ts";
import { type Command, type Operation, reply } from "./operation.ts";
import { findCollection } from "./write-target.ts";

const report = (describe: (operation: Operation) => Record<string, Value>): Command => ({
  fields: ["*"],
  run: (operation) => reply(describe(operation)),
});
const canned = (fields: Record<string, Value> = {}): Command => report(() => fields);

const secondsUp = ({ engine }: Operation): number => Math.floor((Date.now() - engine.startedAt) / 1_000);

const missing = (ns: string): MongoError => located(26, `Collection '${ns}' does not exist.`);

export const noSearch = (): MongoError =>
  located(
    31082,
    "Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration; this server is not MongoDB Atlas.",
  );

function collectionStats({ engine }: Operation, collection: Collection): Doc {
  const { main } = engine.store;
  const totals = main.get(`SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(d)), 0) AS bytes FROM c${collection.id}`);
  const [count, size] = [Number(totals?.["n"]), Number(totals?.["bytes"])];
  const sizes = collection.indexes.map(({ name, table }): [string, number] => [
    name,
    main.number(`SELECT COALESCE(SUM(LENGTH(k)), 0) FROM ${table}`),
  ]);
  const totalIndexSize = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  return docOf({
    size,
    count,
    avgObjSize: count === 0 ? 0 : Math.round(size / count),
    storageSize: size,
    capped: collection.capped !== undefined,
    nindexes: collection.indexes.length,
    indexSizes: new Map(sizes),
    totalIndexSize,
    totalSize: size + totalIndexSize,
    numOrphanDocs: 0,
    scaleFactor: 1,
  });
}

const serverStatus = report((operation) => ({
  host: hostname(),
  version: SERVER_VERSION,
  process: "embedded-mongo",
  pid: BigInt(process.pid),
  uptime: secondsUp(operation),
  localTime: new Date(),
  connections: docOf({ current: operation.client.id }),
  mem: docOf({ bits: 64, resident: Math.round(process.memoryUsage.rss() / 1024 / 1024), supported: true }),
  metrics: docOf({ cursor: docOf({ open: docOf({ total: operation.engine.cursors.count() }) }) }),
  repl: docOf({ setName: SET_NAME, isWritablePrimary: true }),
  storageEngine: docOf({ name: "sqlite", supportsCommittedReads: true, persistent: true }),
}));

const dbStats = report((operation) => {
  const { engine, db } = operation;
  const all = engine.catalogue.collections(db).filter((collection) => !collection.view);
  const stats = all.map((collection) => collectionStats(operation, collection));
  const sum = (name: string): number => stats.reduce((total, each) => total + Number(each.get(name)), 0);
  return {
    db,
    collections: all.length,
    views: 0,
    objects: sum("count"),
    dataSize: sum("size"),
    storageSize: sum("storageSize"),
    indexes: sum("nindexes"),
    indexSize: sum("totalIndexSize"),
    totalSize: sum("totalSize"),
    scaleFactor: 1,
  };
});

const collStats = report((operation) => {
  const name = field.collectionName(operation);
  const collection = operation.engine.catalogue.find(operation.db, name);
  const stats = collection ? collectionStats(operation, collection) : docOf({ count: 0, size: 0 });
  return { ns: `${operation.db}.${name}`, ...Object.fromEntries(stats) };
});

const validate = report((operation) => {
  const { engine, command, db } = operation;
  const name = field.collectionName(operation);
  const collection = engine.catalogue.find(db, name);
  if (!collection) throw missing(`${db}.${name}`);
  const problems = checkFile(engine.store.main, field.flag(command, "full") ? undefined : collection.id);
  return {
    ns: collection.ns,
    nrecords: collectionStats(operation, collection).get("count"),
    nIndexes: collection.indexes.length,
    valid: problems.length === 0,
    errors: problems,
    warnings: [],
  };
});

const dataSize = report((operation) => {
  const { db, coll } = field.namespace(operation.command.get("dataSize"));
  const collection = operation.engine.catalogue.find(db, coll);
  const stats = collection && collectionStats(operation, collection);
  return { size: stats?.get("size") ?? 0, numObjects: stats?.get("count") ?? 0, millis: 0 };
});

const getLog = report(({ command }) =>
  command.get("getLog") === "*" ? { names: ["global", "startupWarnings"] } : { totalLinesWritten: 0, log: [] },
);

const replSetGetStatus = report((operation) => {
  const { address: name } = operation.client;
  const uptime = secondsUp(operation);
  const member = docOf({ _id: 0, name, health: 1, state: 1, stateStr: "PRIMARY", uptime, self: true });
  return { set: SET_NAME, date: new Date(), myState: 1, members: [member] };
});

const getParameter = report(({ command }) => {
  const all = { featureCompatibilityVersion: docOf({ version: "8.0" }), enableTestCommands: false };
  if (command.get("getParameter") === "*") return all;
  const asked = Object.entries(all).filter(([name]) => command.has(name));
  if (asked.length === 0) throw located(72, "no option found to get");
  return Object.fromEntries(asked);
});

export const diagnosticCommands: Record<string, Command> = {
  serverStatus,
  dbStats,
  dbstats: dbStats,
  collStats,
  collstats: collStats,
  validate,
  dataSize,
  getLog,
  getParameter,
  replSetGetStatus,
  connectionStatus: canned({ authInfo: docOf({ authenticatedUsers: [], authenticatedUserRoles: [] }) }),
  currentOp: canned({ inprog: [] }),
  getCmdLineOpts: canned({ argv: ["embedded-mongo"], parsed: new Map() }),
  hostInfo: canned({
    system: docOf({ hostname: hostname() }),
    os: docOf({ type: process.platform }),
    extra: new Map(),
  }),
  getDefaultRWConcern: canned({
    defaultReadConcern: docOf({ level: "local" }),
    defaultWriteConcern: docOf({ w: "majority", wtimeout: 0 }),
  }),
  features: canned({ jsEngineVersion: "none" }),
  fsync: canned({ numFiles: 1 }),
  killOp: canned({ info: "attempting to kill op" }),
  planCacheClear: canned(),
  rolesInfo: canned({ roles: [] }),
  usersInfo: canned({ users: [] }),
  top: canned({ totals: new Map() }),
};

function collStatsRow(operation: Operation, ns: string, collection: Collection | undefined, spec: Value): Doc {
  if (!collection) throw missing(ns);
  const stats = collectionStats(operation, collection);
  const row = docOf({ ns, host: operation.client.address, localTime: new Date() });
  if (isDoc(spec) && spec.has("storageStats")) row.set("storageStats", stats);
  if (isDoc(spec) && spec.has("count")) row.set("count", stats.get("count"));
  return row;
}

/** The rows of a first stage that reports on the engine itself; undefined when it is another one. */
export function reportRows(operation: Operation, coll: string | undefined, first: Doc | undefined): Doc[] | undefined {
  const { db, engine, session } = operation;
  const [[name, spec] = ["", undefined]] = first ?? [];
  const collection = coll === undefined ? undefined : findCollection(operation, coll);
  switch (name) {
    case "$collStats":
      return [collStatsRow(operation, `${db}.${String(coll)}`, collection, spec)];
    case "$indexStats": {
      const accesses = docOf({ ops: 0n, since: new Date(engine.startedAt) });
      return (collection?.indexes ?? []).map((index) =>
        docOf({ name: index.name, key: index.spec.get("key"), accesses, spec: index.spec }),
      );
    }
    case "$listSessions":
    case "$listLocalSessions":
      return session ? [docOf({ _id: session.lsid, lastUse: new Date(session.usedAt) })] : [];
    case "$currentOp":
      return [docOf({ type: "op", active: true, op: "command", ns: `${db}.$cmd.aggregate` })];
    case "$listSearchIndexes":
      throw noSearch();
    default:
      return undefined;
  }
}
