// How a driver learns whom it is talking to.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { docOf } from "../bson/doc-of.ts";
import { SESSION_MINUTES } from "../transactions/sessions.ts";
import { Binary, isDoc, ObjectId, type Value } from "../values.ts";
import * as field from "./fields.ts";
import { type Command, type Operation, reply } from "./operation.ts";

export const SERVER_VERSION = "8.0.0";
export const SET_NAME = "rs0";
const WIRE_VERSION = 25;
const LARGEST_DOCUMENT = 16 * 1024 * 1024;
const ELECTION_ID = new ObjectId("7fffffff0000000000000001");

function hello(operation: Operation, primary: string): Record<string, Value> {
  const { client, command, engine } = operation;
  const info = command.get("client");
  const application = isDoc(info) ? info.get("application") : undefined;
  const appName = isDoc(application) ? application.get("name") : undefined;
  if (typeof appName === "string") client.appName = appName;
  const time = engine.store.oplog.operationTime();
  const opTime = docOf({ ts: time, t: 1n });
  const now = new Date();
  const lastWrite = docOf({ opTime, lastWriteDate: now, majorityOpTime: opTime, majorityWriteDate: now });
  return {
    helloOk: true,
    [primary]: true,
    setName: SET_NAME,
    setVersion: 1,
    hosts: [client.address],
    me: client.address,
    primary: client.address,
    secondary: false,
    electionId: ELECTION_ID,
    lastWrite,
    maxBsonObjectSize: LARGEST_DOCUMENT,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: now,
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: client.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  };
}

const greeting = (primary: string): Command => ({
  fields: ["*"],
  run: (operation) => reply(hello(operation, primary)),
});

const ok: Command = { fields: ["*"], run: () => reply() };

const buildInfo: Command = {
  fields: [],
  run: () =>
    reply({
      version: SERVER_VERSION,
      gitVersion: "embedded",
      versionArray: [...SERVER_VERSION.split(".").map(Number), 0],
      modules: ["embedded"],
      sysInfo: "deprecated",
      javascriptEngine: "none",
      bits: 64,
      debug: false,
      maxBsonObjectSize: LARGEST_DOCUMENT,
      storageEngines: ["sqlite"],
    }),
};

const startSession: Command = {
  fields: [],
  run: () => {
    const id = docOf({ id: new Binary(randomBytes(16), Binary.SUBTYPE_UUID) });
    return reply({ id, timeoutMinutes: SESSION_MINUTES });
  },
};

const endSessions: Command = {
  fields: [],
  run({ engine, command, name }) {
    for (const lsid of field.docs(command, name)) engine.sessions.end(engine.sessions.keyOf(lsid));
    return reply();
  },
};

export const handshakeCommands: Record<string, Command> = {
  hello: greeting("isWritablePrimary"),
  isMaster: greeting("ismaster"),
  ismaster: greeting("ismaster"),
  ping: ok,
  refreshSessions: ok,
  buildInfo,
  buildinfo: buildInfo,
  startSession,
  endSessions,
  killSessions: endSessions,
  whatsmyuri: { fields: [], run: ({ client }) => reply({ you: `${hostname()}:${client.id}` }) },
};
