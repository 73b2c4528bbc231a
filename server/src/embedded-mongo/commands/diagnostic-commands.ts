// Small answers for shells and tools.
import { hostname } from "node:os";
import { checkFile } from "../store/integrity.ts";
import { type Doc, MongoError, type Value } from "../values.ts";
import { SERVER_VERSION, SET_NAME } from "./handshake-commands.ts";
import { type Command, collectionName, flagField, type Operation, reply } from "./operation.ts";
import { collectionStats } from "./report-stages.ts";

const canned = (...fields: [string, Value][]): Command => ({ fields: ["*"], run: () => reply(...fields) });

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
    return reply(
      ["host", hostname()],
      ["version", SERVER_VERSION],
      ["process", "embedded-mongo"],
      ["pid", BigInt(process.pid)],
      ["uptime", secondsUp(operation)],
      ["localTime", new Date()],
      ["connections", new Map([["current", operation.client.id]])],
      [
        "mem",
        new Map<string, Value>([
          ["bits", 64],
          ["resident", Math.round(memory.rss / 1024 / 1024)],
          ["supported", true],
        ]),
      ],
      ["metrics", new Map([["cursor", new Map([["open", new Map([["total", engine.cursors.count()]])]])]])],
      [
        "repl",
        new Map<string, Value>([
          ["setName", SET_NAME],
          ["isWritablePrimary", true],
        ]),
      ],
      [
        "storageEngine",
        new Map<string, Value>([
          ["name", "sqlite"],
          ["supportsCommittedReads", true],
          ["persistent", true],
        ]),
      ],
    );
  },
};

const dbStats: Command = {
  fields: ["scale", "freeStorage"],
  run(operation) {
    const { engine, db } = operation;
    const all = engine.catalogue.collections(db).map((collection) => collectionStats(operation, collection));
    const sum = (field: string): number => all.reduce((total, stats) => total + Number(stats.get(field)), 0);
    const fields: [string, Value][] = [
      ["objects", sum("count")],
      ["dataSize", sum("size")],
      ["storageSize", sum("storageSize")],
      ["indexes", sum("nindexes")],
    ];
    return reply(
      ["db", db],
      ["collections", all.length],
      ["views", 0],
      ...fields,
      ["indexSize", sum("totalIndexSize")],
      ["totalSize", sum("totalSize")],
      ["scaleFactor", 1],
    );
  },
};

const collStats: Command = {
  fields: ["scale"],
  run(operation) {
    const name = collectionName(operation);
    const collection = operation.engine.catalogue.find(operation.db, name);
    return reply(
      ["ns", `${operation.db}.${name}`],
      ...(collection
        ? collectionStats(operation, collection)
        : ([
            ["count", 0],
            ["size", 0],
          ] satisfies [string, Value][])),
    );
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
    return reply(
      ["ns", collection.ns],
      ["nrecords", stats.get("count")],
      ["nIndexes", collection.indexes.length],
      ["valid", problems.length === 0],
      ["errors", problems],
      ["warnings", []],
    );
  },
};

const dataSize: Command = {
  fields: ["keyPattern", "min", "max", "estimate"],
  run(operation) {
    const ns = String(operation.command.get("dataSize"));
    const dot = ns.indexOf(".");
    const collection = operation.engine.catalogue.find(ns.slice(0, dot), ns.slice(dot + 1));
    const stats: Doc = collection ? collectionStats(operation, collection) : new Map();
    return reply(["size", stats.get("size") ?? 0], ["numObjects", stats.get("count") ?? 0], ["millis", 0]);
  },
};

const connectionStatus = canned([
  "authInfo",
  new Map<string, Value>([
    ["authenticatedUsers", []],
    ["authenticatedUserRoles", []],
  ]),
]);

const getLog: Command = {
  fields: [],
  run: ({ command }) =>
    command.get("getLog") === "*"
      ? reply(["names", ["global", "startupWarnings"]])
      : reply(["totalLinesWritten", 0], ["log", []]),
};

const replSetGetStatus: Command = {
  fields: ["*"],
  run(operation) {
    const { client } = operation;
    const member = new Map<string, Value>([
      ["_id", 0],
      ["name", client.address],
      ["health", 1],
      ["state", 1],
      ["stateStr", "PRIMARY"],
      ["uptime", secondsUp(operation)],
      ["self", true],
    ]);
    return reply(["set", SET_NAME], ["date", new Date()], ["myState", 1], ["members", [member]]);
  },
};

const currentOp: Command = { fields: ["*"], run: () => reply(["inprog", []]) };

const features = new Map<string, Value>([
  ["featureCompatibilityVersion", new Map([["version", SERVER_VERSION.split(".").slice(0, 2).join(".")]])],
]);

const getParameter: Command = {
  fields: ["*"],
  run({ command, engine }) {
    const all = new Map<string, Value>([...features, ["enableTestCommands", engine.hasTestCommands]]);
    if (command.get("getParameter") === "*") return reply(...all);
    const asked = [...all].filter(([name]) => command.has(name));
    if (asked.length === 0) throw new MongoError(72, "InvalidOptions", "no option found to get");
    return reply(...asked);
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
  getCmdLineOpts: canned(["argv", ["embedded-mongo"]], ["parsed", new Map()]),
  hostInfo: canned(
    ["system", new Map([["hostname", hostname()]])],
    ["os", new Map([["type", process.platform]])],
    ["extra", new Map()],
  ),
  getDefaultRWConcern: canned(
    ["defaultReadConcern", new Map([["level", "local"]])],
    [
      "defaultWriteConcern",
      new Map<string, Value>([
        ["w", "majority"],
        ["wtimeout", 0],
      ]),
    ],
  ),
  features: canned(["jsEngineVersion", "none"]),
  fsync: canned(["numFiles", 1]),
  killOp: canned(["info", "attempting to kill op"]),
  planCacheClear: canned(),
  rolesInfo: canned(["roles", []]),
  usersInfo: canned(["users", []]),
  top: canned(["totals", new Map()]),
};
