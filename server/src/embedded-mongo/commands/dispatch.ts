// Finds the command, checks what every command shares, runs it and turns what happened into a reply.
import { docOf } from "../bson/doc-of.ts";
import { failedToParse, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import type { Engine } from "../engine.ts";
import { checkDatabaseName } from "../store/catalogue.ts";
import { storageError } from "../store/sqlite-file.ts";
import { enterTransaction, inTurn, isKnownCommit, type Session } from "../transactions/sessions.ts";
import { Binary, type Bytes, type Doc, isDoc, MongoError, type Value } from "../values.ts";
import { encodeFields, type Reply, type Request } from "../wire/message.ts";
import { viewRows } from "./aggregate-command.ts";
import { durably } from "./durably.ts";
import { failure } from "./failpoints.ts";
import { type ClientConnection, type Command, docField, numberField, type Operation } from "./operation.ts";
import { invalidOptions, notInTransaction } from "./refusals.ts";
import { findCommand } from "./registry.ts";

export type Answer = { reply: Reply; isClosing: boolean };

const SHARED_FIELDS = new Set(
  [
    "$db",
    "lsid",
    "txnNumber",
    "startTransaction",
    "autocommit",
    "readConcern",
    "writeConcern",
    "$readPreference",
    "$clusterTime",
  ].concat(["apiVersion", "apiStrict", "apiDeprecationErrors", "maxTimeMS", "comment", "$client", "$audit"]),
);
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const TRANSIENT = new Set([24, 112, 246, 251, 267]);
const UNSTABLE_API = new Set("distinct serverStatus dbStats collStats validate renameCollection top".split(" "));

export async function answer(engine: Engine, client: ClientConnection, request: Request): Promise<Answer> {
  const { command } = request;
  const [name = ""] = command.keys();
  const injected = engine.hasTestCommands ? engine.failpoints.forCommand(name, client.appName) : undefined;
  const isClosing = injected?.get("closeConnection") === true;
  let operation: Operation | undefined;
  try {
    const handler = findCommand(name);
    if (!handler) throw new MongoError(59, "CommandNotFound", `no such command: '${name}'`);
    if (injected) await inject(injected);
    const prepared = prepare(engine, client, request, name, handler);
    operation = prepared;
    const queue = command.has("txnNumber") ? prepared.session : undefined;
    const reply = await (queue ? inTurn(queue, () => run(prepared, handler)) : run(prepared, handler));
    addWriteConcernError(reply, command, injected, name);
    return { reply, isClosing };
  } catch (error) {
    const known = storageError(error);
    return { reply: { fields: errorFields(known, { engine, command, name, operation }) }, isClosing };
  } finally {
    // The time limit is for the command, not for the cursor that it leaves open.
    if (operation?.deadline) operation.deadline.at = Infinity;
  }
}

async function run(operation: Operation, handler: Command): Promise<Reply> {
  const { group } = operation.engine.store;
  // A snapshot closes the group; but the record of a retryable write belongs into the same one as the write.
  if (operation.command.get("startTransaction") === true) while (group.isOpen()) await group.ended();
  if (operation.session) enterSession(operation, operation.session, handler);
  operation.view.viewRows = (collection) => viewRows(operation, collection);
  checkReadConcern(operation);
  const perform = async (): Promise<Reply> => handler.run(operation);
  return handler.isWrite ? durably(operation.engine, perform) : perform();
}

async function inject(data: Doc): Promise<void> {
  if (data.get("blockConnection") === true) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, numberField(data, "blockTimeMS") ?? 0);
    await promise;
  }
  const failing = data.has("writeConcernError") ? undefined : failure(data);
  if (failing) throw failing;
}

function prepare(
  engine: Engine,
  client: ClientConnection,
  request: Request,
  name: string,
  handler: Command,
): Operation {
  const { command, documents } = request;
  const db = command.get("$db");
  if (typeof db !== "string") throw failedToParse("a command needs a $db");
  checkDatabaseName(db);
  checkFields(command, name, handler);
  checkApi(command, name);
  const maxTimeMS = numberField(command, "maxTimeMS");
  const lsid = docField(command, "lsid");
  const session = lsid ? engine.sessions.get(lsid) : undefined;
  return {
    engine,
    name,
    db,
    command,
    documents,
    session,
    transaction: undefined,
    retryNumber: undefined,
    deadline: maxTimeMS ? { at: Date.now() + maxTimeMS } : undefined,
    client,
    view: { connection: engine.store.main, overlayOf: () => undefined },
    failures: engine.store.group.failures(),
  };
}

function checkFields(command: Doc, name: string, handler: Command): void {
  for (const field of command.keys()) {
    if (field === name || SHARED_FIELDS.has(field) || handler.fields.includes(field) || handler.fields[0] === "*")
      continue;
    throw located(40415, `BSON field '${name}.${field}' is an unknown field.`);
  }
}

function checkApi(command: Doc, name: string): void {
  const version = command.get("apiVersion");
  if (version !== undefined && version !== "1") throw new MongoError(322, "APIVersionError", "API version must be '1'");
  if (command.get("apiStrict") === true && UNSTABLE_API.has(name)) {
    throw new MongoError(
      323,
      "APIStrictError",
      `Provided apiStrict:true, but the command ${name} is not in API Version 1`,
    );
  }
}

function enterSession(operation: Operation, session: Session, handler: Command): void {
  const { engine, command, name } = operation;
  const number = command.get("txnNumber");
  if (number === undefined) return;
  const txnNumber = typeof number === "bigint" ? number : BigInt(numberField(command, "txnNumber") ?? 0);
  if (command.get("autocommit") !== false) {
    operation.retryNumber = txnNumber;
    return;
  }
  const ends = name === "commitTransaction" || name === "abortTransaction";
  if (name === "commitTransaction" && isKnownCommit(session, txnNumber)) return;
  const transaction = enterTransaction(session, engine.transactions, {
    number: txnNumber,
    starts: command.get("startTransaction") === true,
    ends,
  });
  operation.transaction = transaction;
  operation.view = {
    connection: transaction.connection,
    overlayOf: (collection) => transaction.overlays.get(collection),
  };
  if (!handler.isAllowedInTransaction) {
    throw notInTransaction(`Cannot run '${name}' in a multi-document transaction.`);
  }
}

const LEVELS = new Set<Value>(["local", "majority", "available", "linearizable", "snapshot"]);

function checkReadConcern({ command, transaction }: Operation): void {
  const concern = docField(command, "readConcern");
  const level = concern?.get("level");
  if (level === undefined) return;
  if (!LEVELS.has(level))
    throw failedToParse(`Enumeration value '${showValue(level)}' for field 'readConcern.level' is not a valid value.`);
  if (level === "snapshot" && !transaction) {
    throw invalidOptions(
      "readConcern level snapshot outside of a transaction is not supported by the embedded database",
    );
  }
  if (concern?.has("atClusterTime"))
    throw invalidOptions("readConcern atClusterTime is not supported by the embedded database");
}

function addWriteConcernError(reply: Reply, command: Doc, injected: Doc | undefined, name: string): void {
  const concern = command.get("writeConcern");
  const w = isDoc(concern) ? concern.get("w") : undefined;
  if (typeof w === "number" && w > 1) {
    const problem = docOf({
      code: 100,
      codeName: "UnsatisfiableWriteConcern",
      errmsg: "Not enough data-bearing nodes",
    });
    reply.fields.set("writeConcernError", problem);
  }
  const asked = injected?.get("writeConcernError");
  if (!isDoc(asked)) return;
  reply.fields.set("writeConcernError", asked);
  const labels = injected?.get("errorLabels") ?? asked.get("errorLabels");
  const code = numberField(asked, "code") ?? 0;
  const isRetryable = command.has("txnNumber") && (command.get("autocommit") !== false || name.endsWith("Transaction"));
  if (Array.isArray(labels)) reply.fields.set("errorLabels", labels);
  else if (isRetryable && RETRYABLE.has(code)) reply.fields.set("errorLabels", ["RetryableWriteError"]);
}

type Failed = { engine: Engine; command: Doc; name: string; operation: Operation | undefined };

function errorFields(error: MongoError, { engine, command, name, operation }: Failed): Doc {
  const labels = new Set(error.labels);
  const isInTransaction = command.get("autocommit") === false;
  const endsTransaction = name === "commitTransaction" || name === "abortTransaction";
  if (!error.details.has("labelsAreFinal") && command.has("txnNumber")) {
    const isRetryable = RETRYABLE.has(error.code);
    if (isInTransaction && (TRANSIENT.has(error.code) || (isRetryable && !endsTransaction)))
      labels.add("TransientTransactionError");
    if (isRetryable && (!isInTransaction || endsTransaction)) labels.add("RetryableWriteError");
  }
  // Whatever fails inside a transaction ends it, so that it cannot be committed in part.
  if (operation?.transaction && !endsTransaction) engine.transactions.abort(operation.transaction);
  const fields: Doc = docOf({ ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName });
  for (const [field, value] of error.details) if (field !== "labelsAreFinal") fields.set(field, value);
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
