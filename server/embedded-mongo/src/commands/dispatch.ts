// Finds the command, checks what every command shares, runs it and turns what happened into a reply.
import { docOf } from "../bson/doc-of.ts";
import { failedToParse, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import type { Engine } from "../engine.ts";
import { checkDatabaseName } from "../store/collection.ts";
import { storageError } from "../store/sqlite-file.ts";
import { enterTransaction, inTurn, isKnownCommit, type Session } from "../transactions/sessions.ts";
import { Binary, type Bytes, type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import { encodeFields, type Reply, type Request } from "../wire/message.ts";
import { aggregateCommands, viewRows } from "./aggregate-command.ts";
import { collectionCommands } from "./collection-commands.ts";
import { cursorCommands } from "./cursor-commands.ts";
import { diagnosticCommands } from "./diagnostic-commands.ts";
import { explainCommands } from "./explain.ts";
import * as field from "./fields.ts";
import { handshakeCommands } from "./handshake-commands.ts";
import { indexCommands } from "./index-commands.ts";
import { type ClientConnection, type Command, durably, type Operation } from "./operation.ts";
import { readCommands } from "./read-commands.ts";
import { transactionCommands } from "./transaction-commands.ts";
import { writeCommands } from "./write-commands.ts";

const COMMANDS = new Map<string, Command>(
  Object.entries({
    ...handshakeCommands,
    ...writeCommands,
    ...readCommands,
    ...cursorCommands,
    ...aggregateCommands,
    ...collectionCommands,
    ...indexCommands,
    ...transactionCommands,
    ...explainCommands,
    ...diagnosticCommands,
  }),
);
/** All that is answered. */
export const commandNames = (): string[] => [...COMMANDS.keys()];

const SHARED_FIELDS = new Set(
  "$db lsid txnNumber startTransaction autocommit readConcern writeConcern $readPreference $clusterTime apiVersion apiStrict apiDeprecationErrors maxTimeMS comment $client $audit".split(
    " ",
  ),
);
export const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const TRANSIENT = new Set([24, 112, 246, 251, 267]);
const UNSTABLE_API = new Set("distinct serverStatus dbStats collStats validate renameCollection top".split(" "));

export type Answerer = (engine: Engine, client: ClientConnection, request: Request) => Promise<Reply>;

export const answer: Answerer = async (engine, client, request) => {
  const { command } = request;
  const [name = ""] = command.keys();
  let operation: Operation | undefined;
  try {
    const handler = COMMANDS.get(name);
    if (!handler) throw located(59, `no such command: '${name}'`);
    const prepared = prepare(engine, client, request, name, handler);
    operation = prepared;
    const queue = command.has("txnNumber") ? prepared.session : undefined;
    const reply = await (queue ? inTurn(queue, () => run(prepared, handler)) : run(prepared, handler));
    addWriteConcernError(reply, command);
    return reply;
  } catch (error) {
    return { fields: errorFields(storageError(error, engine.path), engine, command, operation) };
  } finally {
    // The time limit is for the command, not for the cursor that it leaves open.
    if (operation?.deadline) operation.deadline.at = Infinity;
  }
};

function prepare(
  engine: Engine,
  client: ClientConnection,
  { command, documents }: Request,
  name: string,
  handler: Command,
): Operation {
  const db = command.get("$db");
  if (typeof db !== "string") throw failedToParse("a command needs a $db");
  checkDatabaseName(db);
  checkFields(command, name, handler);
  checkApi(command, name);
  const maxTimeMS = field.count(command, "maxTimeMS");
  const lsid = field.doc(command, "lsid");
  return {
    engine,
    name,
    db,
    command,
    documents,
    session: lsid && engine.sessions.get(lsid),
    transaction: undefined,
    retryNumber: undefined,
    deadline: maxTimeMS ? { at: Date.now() + maxTimeMS } : undefined,
    client,
    view: { connection: engine.store.main, overlayOf: () => undefined, pace: engine.turns.newPace() },
    failures: engine.store.group.failures(),
  };
}

/** A command that is only to be explained is checked as well. */
function checkFields(command: Doc, name: string, { fields }: Command): void {
  for (const [given, value] of command) {
    if (given !== name && !SHARED_FIELDS.has(given) && !fields.includes(given) && fields[0] !== "*")
      throw located(40415, `BSON field '${name}.${given}' is an unknown field.`);
    const [inner = ""] = given === "explain" && isDoc(value) ? value.keys() : [];
    const explained = COMMANDS.get(inner);
    if (explained && isDoc(value)) checkFields(value, inner, explained);
  }
}

function checkApi(command: Doc, name: string): void {
  const version = command.get("apiVersion");
  if (version !== undefined && version !== "1") throw located(322, "API version must be '1'");
  if (command.get("apiStrict") === true && UNSTABLE_API.has(name))
    throw located(323, `Provided apiStrict:true, but the command ${name} is not in API Version 1`);
}

async function run(operation: Operation, handler: Command): Promise<Reply> {
  const { group } = operation.engine.store;
  // A snapshot closes the group; but the record of a retryable write belongs into the same one as the write.
  if (operation.command.get("startTransaction") === true) while (group.isOpen()) await group.ended();
  if (operation.session) enterSession(operation, operation.session, handler);
  operation.view.viewRows = (collection) => viewRows(operation, collection);
  checkReadConcern(operation);
  const perform = async (): Promise<Reply> => {
    if (!handler.isRetryable) return handler.run(operation);
    const fields = answeredBefore(operation) ?? remembered(operation, await handler.run(operation));
    return handler.present ? handler.present(operation, fields) : { fields };
  };
  return handler.isWrite ? durably(operation.engine, perform) : perform();
}

function enterSession(operation: Operation, session: Session, handler: Command): void {
  const { engine, command, name } = operation;
  const number = command.get("txnNumber");
  if (number === undefined) return;
  const txnNumber = typeof number === "bigint" ? number : BigInt(field.number(command, "txnNumber") ?? 0);
  if (command.get("autocommit") !== false) {
    operation.retryNumber = txnNumber;
    return;
  }
  if (name === "commitTransaction" && isKnownCommit(session, txnNumber)) return;
  const transaction = enterTransaction(session, engine.transactions, {
    number: txnNumber,
    starts: command.get("startTransaction") === true,
    ends: isEnd(name),
  });
  operation.transaction = transaction;
  operation.view = {
    ...operation.view,
    connection: transaction.connection,
    overlayOf: (collection) => transaction.overlays.get(collection),
  };
  if (!handler.isAllowedInTransaction) throw located(263, `Cannot run '${name}' in a multi-document transaction.`);
}

export const isEnd = (name: string): boolean => name === "commitTransaction" || name === "abortTransaction";

const LEVELS = new Set<Value>(["local", "majority", "available", "linearizable", "snapshot"]);

function checkReadConcern({ command, transaction }: Operation): void {
  const concern = field.doc(command, "readConcern");
  const level = concern?.get("level");
  if (level === undefined) return;
  if (!LEVELS.has(level))
    throw failedToParse(`Enumeration value '${showValue(level)}' for field 'readConcern.level' is not a valid value.`);
  if ((level === "snapshot" && !transaction) || concern?.has("atClusterTime"))
    throw located(72, "a snapshot outside of a transaction is not supported by the embedded database");
}

/** The saved reply, if this very write was already done. */
function answeredBefore({ engine, session, retryNumber }: Operation): Doc | undefined {
  if (!session || retryNumber === undefined) return undefined;
  if (retryNumber < session.number) {
    const why = `because a newer one ${session.number} has already started`;
    throw located(225, `Retryable write with txnNumber ${retryNumber} is prohibited ${why}.`);
  }
  if (session.answered?.number === retryNumber) return new Map(session.answered.reply);
  session.number = retryNumber;
  if (session.transaction) engine.transactions.abort(session.transaction);
  return undefined;
}

/** Keeps the reply, in the same commit as the write that it answers. */
function remembered({ engine, session, retryNumber }: Operation, { fields }: Reply): Doc {
  if (session && retryNumber !== undefined)
    engine.store.group.write(() => engine.sessions.remember(session, retryNumber, new Map(fields)));
  return fields;
}

function addWriteConcernError(reply: Reply, command: Doc): void {
  const concern = command.get("writeConcern");
  const w = isDoc(concern) ? concern.get("w") : undefined;
  if (typeof w !== "number" || w <= 1) return;
  const { code, codeName, message } = located(100, "Not enough data-bearing nodes");
  reply.fields.set("writeConcernError", docOf({ code, codeName, errmsg: message }));
}

/** What is said of an error, with the labels by which drivers know whether to try again. */
export function errorFields(error: MongoError, engine: Engine, command: Doc, operation?: Operation): Doc {
  const [name = ""] = command.keys();
  const labels = new Set(error.labels);
  if (command.has("txnNumber")) {
    const isInside = command.get("autocommit") === false && !isEnd(name);
    const isRetryable = RETRYABLE.has(error.code);
    if (command.get("autocommit") === false && TRANSIENT.has(error.code)) labels.add("TransientTransactionError");
    if (isRetryable) labels.add(isInside ? "TransientTransactionError" : "RetryableWriteError");
  }
  // Whatever fails inside a transaction ends it, so that it cannot be committed in part.
  if (operation?.transaction && !isEnd(name)) engine.transactions.abort(operation.transaction);
  const fields = docOf({ ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName });
  for (const [detail, value] of error.details) fields.set(detail, value);
  if (labels.size > 0) fields.set("errorLabels", [...labels]);
  return fields;
}

const NO_SIGNATURE: Doc = docOf({ hash: new Binary(Buffer.alloc(20)), keyId: 0n });

/** What ends every reply: the logical time, without which there are no causal sessions and no change streams. */
export function clusterTime(engine: Engine): Bytes {
  const time = engine.store.oplog.operationTime();
  const gossip = docOf({ clusterTime: time, signature: NO_SIGNATURE });
  return encodeFields(docOf({ operationTime: time, $clusterTime: gossip }));
}
