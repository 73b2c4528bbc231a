// Small answers for shells and tools.
import { hostname } from "node:os";
import { docOf } from "../bson/doc-of.ts";
import { checkFile } from "../store/integrity.ts";
import { type Doc, MongoError, type Value } from "../values.ts";
import { splitNamespace } from "./collection-commands.ts";
import { SERVER_VERSION, SET_NAME } from "./handshake-commands.ts";
import { type Command, collectionName, flagField, type Operation, reply } from "./operation.ts";
import { invalidOptions } from "./refusals.ts";
import { collectionStats } from "./report-stages.ts";

const canned = (fields: Record<string, Value> = {}): Command => ({ fields: ["*"], run: () => reply(fields) });

const notFound = (name: string): Command => ({
  fields: ["*"],
  run: () => {
    throw new MongoError(59, "CommandNotFound", `no such command: '${name}'`);
  },
});

const secondsUp = ({ engine }: Operation): number => Math.floor((Date.now() - engine.startedAt) / 1_000);

const serverStatus: Command = {
  fields: ["*"],
  run(operation) {
    const { engine } = operation;
    const memory = process.memoryUsage();
    return reply({
      host: hostname(),
      version: SERVER_VERSION,
      process: "embedded-mongo",
      pid: BigInt(process.pid),
      uptime: secondsUp(operation),
      localTime: new Date(),
      connections: docOf({ current: operation.client.id }),
      mem: docOf({ bits: 64, resident: Math.round(memory.rss / 1024 / 1024), supported: true }),
      metrics: docOf({ cursor: docOf({ open: docOf({ total: engine.cursors.count() }) }) }),
      repl: docOf({ setName: SET_NAME, isWritablePrimary: true }),
      storageEngine: docOf({ name: "sqlite", supportsCommittedReads: true, persistent: true }),
    });
  },
};

const dbStats: Command = {
  fields: ["scale", "freeStorage"],
  run(operation) {
    const { engine, db } = operation;
    const all = engine.catalogue.collections(db).map((collection) => collectionStats(operation, collection));
    const sum = (field: string): number => all.reduce((total, stats) => total + Number(stats.get(field)), 0);
    return reply({
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
    });
  },
};

const collStats: Command = {
  fields: ["scale"],
  run(operation) {
    const name = collectionName(operation);
    const collection = operation.engine.catalogue.find(operation.db, name);
    const stats = collection ? collectionStats(operation, collection) : docOf({ count: 0, size: 0 });
    return reply({ ns: `${operation.db}.${name}`, ...Object.fromEntries(stats) });
  },
};

const validate: Command = {
  fields: ["full", "repair", "metadata", "checkBSONConformance", "background"],
  run(operation) {
    const name = collectionName(operation);
    const collection = operation.engine.catalogue.find(operation.db, name);
    if (!collection)
      throw new MongoError(26, "NamespaceNotFound", `Collection '${operation.db}.${name}' does not exist to validate.`);
    const problems = checkFile(
      operation.engine.store.main,
      flagField(operation.command, "full") ? undefined : collection.id,
    );
    const stats = collectionStats(operation, collection);
    return reply({
      ns: collection.ns,
      nrecords: stats.get("count"),
      nIndexes: collection.indexes.length,
      valid: problems.length === 0,
      errors: problems,
      warnings: [],
    });
  },
};

const dataSize: Command = {
  fields: ["keyPattern", "min", "max", "estimate"],
  run(operation) {
    const [db, name] = splitNamespace(operation.command.get("dataSize"));
    const collection = operation.engine.catalogue.find(db, name);
    const stats: Doc = collection ? collectionStats(operation, collection) : new Map();
    return reply({ size: stats.get("size") ?? 0, numObjects: stats.get("count") ?? 0, millis: 0 });
  },
};

const connectionStatus = canned({ authInfo: docOf({ authenticatedUsers: [], authenticatedUserRoles: [] }) });

const getLog: Command = {
  fields: [],
  run: ({ command }) =>
    command.get("getLog") === "*"
      ? reply({ names: ["global", "startupWarnings"] })
      : reply({ totalLinesWritten: 0, log: [] }),
};

const replSetGetStatus: Command = {
  fields: ["*"],
  run(operation) {
    const { client } = operation;
    const member = docOf({
      _id: 0,
      name: client.address,
      health: 1,
      state: 1,
      stateStr: "PRIMARY",
      uptime: secondsUp(operation),
      self: true,
    });
    return reply({ set: SET_NAME, date: new Date(), myState: 1, members: [member] });
  },
};

const currentOp: Command = { fields: ["*"], run: () => reply({ inprog: [] }) };

const getParameter: Command = {
  fields: ["*"],
  run({ command, engine }) {
    const all = { featureCompatibilityVersion: docOf({ version: "8.0" }), enableTestCommands: engine.hasTestCommands };
    if (command.get("getParameter") === "*") return reply(all);
    const asked = Object.entries(all).filter(([name]) => command.has(name));
    if (asked.length === 0) throw invalidOptions("no option found to get");
    return reply(Object.fromEntries(asked));
  },
};

export const diagnosticCommands: Record<string, Command> = {
  serverStatus,
  dbStats,
  dbstats: dbStats,
  collStats,
  collstats: collStats,
  validate,
  dataSize,
  connectionStatus,
  getLog,
  getParameter,
  replSetGetStatus,
  currentOp,
  atlasVersion: notFound("atlasVersion"),
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
