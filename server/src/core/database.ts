import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { type EmbeddedMongo, startEmbeddedMongo } from "@app/embedded-mongo/start";
import { endHolds } from "./holding.ts";
import type { Logger } from "./logger.ts";
import { forgetWhatIsWritten } from "./memory.ts";
import { asTransaction, isInTransaction } from "./open-transaction.ts";
import { settings } from "./settings.ts";

const DATABASE_NAME = "evenhand";
const SERVER_SELECTION_TIMEOUT_MS = 2000;
// The driver's own defaults are 30 seconds and for ever: a call that meets a dying server would hang that long.
const CONNECT_TIMEOUT_MS = 5000;
const WAIT_QUEUE_TIMEOUT_MS = 5000;
const PING_LIMIT_MS = 2000;
const SOCKET_TIMEOUT_MS = 60_000;
/** No page waits that long; what goes by a cursor, such as an export, may. */
const READ_MAX_MS = 30_000;
const DUPLICATE_KEY = 11000;
const TIME_IS_UP = 50;
// The driver hands on what breaks while it writes as it is.
const BROKEN_CONNECTION_CODES: unknown[] = ["EPIPE", "ECONNRESET"];
const OUT_OF_DISK_SPACE = 14031;
// Also of the driver, and not exported: the connection was closed, on this side or the other.
const CLOSED_NAMES = ["MongoWaitQueueTimeoutError", "MongoNotConnectedError", "MongoTopologyClosedError"];
const PASSING_LABELS = ["TransientTransactionError", "UnknownTransactionCommitResult", "RetryableWriteError"];

// A misspelled path must not turn a filter into "everybody's", nor an object from a request into an operator.
mongoose.set("strictQuery", "throw");
mongoose.set("sanitizeFilter", true);
mongoose.set("transactionAsyncLocalStorage", true);
mongoose.set("maxTimeMS", READ_MAX_MS);

const INDEXED_AT_ONCE = 8;

export interface Database {
  close(): Promise<void>;
}

interface Options {
  log: Logger;
  /** Scripts join the database of a running server instead of being refused. */
  join?: boolean;
}

/** The embedded database, or null where MONGODB_URI names another one. */
export type Engine = EmbeddedMongo | null;

/** Starts the embedded database in the data directory, in a process of its own, unless MONGODB_URI names another one. */
export const startEngine = async ({ log, join = false }: Options): Promise<Engine> =>
  settings().MONGODB_URI ? null : startEmbeddedMongo({ dir: settings().dataDir, log, join });

export const openDatabase = async (options: Options): Promise<Database> => connectDatabase(await startEngine(options));

/** Connects mongoose to the embedded database that runs, or else to MONGODB_URI. */
export async function connectDatabase(engine: Engine): Promise<Database> {
  const uri = settings().MONGODB_URI ?? embeddedUri(engine);
  await mongoose.connect(uri, {
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    waitQueueTimeoutMS: WAIT_QUEUE_TIMEOUT_MS,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    autoIndex: false,
    // While the database is away a call is refused at once instead of waiting for its return.
    bufferCommands: false,
    monitorCommands: true,
    ...(engine ? { dbName: DATABASE_NAME } : {}),
  });
  forgetWhatIsWritten(mongoose.connection.getClient());
  await createIndexes();
  return {
    async close() {
      await endHolds();
      await mongoose.disconnect();
      await engine?.stop();
    },
  };
}

/** A few models at a time: a connection for each of them at once takes a busy machine longer than a call waits for one. */
async function createIndexes(): Promise<void> {
  const models = Object.values(mongoose.models).values();
  const createSome = async () => {
    for (const model of models) await model.createIndexes();
  };
  await Promise.all(Array.from({ length: INDEXED_AT_ONCE }, createSome));
}

function embeddedUri(engine: Engine): string {
  if (!engine) throw new Error("no database");
  return engine.uri;
}

/** Whether the database answers right now. */
export async function isDatabaseReady(): Promise<boolean> {
  // The driver's own time limits do not end a wait for a server that hangs.
  const isTooLate = sleep(PING_LIMIT_MS, false, { ref: false });
  return Promise.race([isPingAnswered(), isTooLate]);
}

async function isPingAnswered(): Promise<boolean> {
  try {
    await mongoose.connection.db?.command({ ping: 1 });
    return mongoose.connection.readyState === mongoose.ConnectionStates.connected;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoError) return false;
    throw error;
  }
}

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;

/** Whether the database is away, full or too busy: the same call may succeed in a moment. */
export function isDatabaseFailure(error: unknown): boolean {
  const { MongoError, MongoNetworkError, MongoServerSelectionError, MongoServerError, MongoDriverError } =
    mongoose.mongo;
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoDriverError && CLOSED_NAMES.includes(error.name)) return true;
  if (error instanceof MongoError && PASSING_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  if (error instanceof Error && "code" in error && BROKEN_CONNECTION_CODES.includes(error.code)) return true;
  return error instanceof MongoServerError && (error.code === OUT_OF_DISK_SPACE || error.code === TIME_IS_UP);
}

/** For what would prove nothing outside of one. */
export function assertInTransaction(): void {
  if (!isInTransaction()) throw new Error("this has to run in a transaction");
}

/**
 * Runs `work` in one transaction; every query inside joins it by itself, and so does a transaction inside. The first
 * query must not have others beside it: a transaction is one conversation, not several.
 */
export const inTransaction = <Result>(work: () => Promise<Result>): Promise<Result> =>
  isInTransaction() ? work() : asTransaction((attempt) => mongoose.connection.transaction(() => attempt(work)));
