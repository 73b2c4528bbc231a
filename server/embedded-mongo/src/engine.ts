// Everything that one open data file consists of.
import { join } from "node:path";
import { createCursors, type Cursors } from "./cursors/cursors.ts";
import { type Catalogue, createCatalogue } from "./store/catalogue.ts";
import { createTurns, type Turns } from "./pace.ts";
import { createCommitGroup } from "./store/commit-group.ts";
import type { Store } from "./store/documents.ts";
import { startExpiry, untilNextTime } from "./store/expiry.ts";
import { createOplog, type OplogLimits } from "./store/oplog.ts";
import { startSumming } from "./store/summing.ts";
import {
  type Connection,
  openConnection,
  openMainConnection,
  OUT_OF_DISK_SPACE,
  storageError,
} from "./store/sqlite-file.ts";
import { createSessions, type Sessions } from "./transactions/sessions.ts";
import { createTransactions, type Transactions } from "./transactions/transaction.ts";
import { createWriteIntents } from "./store/write-intents.ts";

export const DATA_FILE = "database.sqlite";

export type EngineOptions = {
  dir: string;
  oplog?: Partial<OplogLimits>;
  /** For tests: the file may not grow beyond this. */
  maxPages?: number;
};

export type Engine = {
  store: Store;
  catalogue: Catalogue;
  sessions: Sessions;
  transactions: Transactions;
  cursors: Cursors;
  turns: Turns;
  path: string;
  startedAt: number;
  close(): void;
};

const REAPING_MS = 1_000;
const TIDYING_MS = 60_000;
const MUCH_BYTES = 220 * 1024 * 1024;

export function openEngine(options: EngineOptions): Engine {
  const path = join(options.dir, DATA_FILE);
  const main = openMainConnection(path, options.maxPages);
  const intents = createWriteIntents();
  const catalogue = createCatalogue(main, intents.now);
  const oplog = createOplog(main, options.oplog);
  const group = createCommitGroup(main, {
    committed: () => oplog.markCommitted(),
    rolledBack: () => {
      intents.advance();
      catalogue.load();
      oplog.load();
      sessions.forgetAnswers();
    },
  });
  const store: Store = { main, catalogue, oplog, group, intents };
  const transactions = createTransactions(store, () => {
    const snapshot = openConnection(path);
    snapshot.exec("PRAGMA query_only=1; PRAGMA cache_size=-8192");
    return snapshot;
  });
  const sessions = createSessions(store, transactions);
  const cursors = createCursors();
  const stopExpiry = startExpiry(store);
  const stopSumming = startSumming(store);
  const reaping = setInterval(() => transactions.reap(Date.now()), REAPING_MS).unref();
  // After a load what it took would be kept for ever.
  const giveBack = (): void => {
    transactions.close();
    main.exec("PRAGMA shrink_memory");
    globalThis.gc?.();
  };
  const tidying = setInterval(() => {
    cursors.reap(Date.now());
    untilNextTime(() => sessions.expire(Date.now()));
    if (process.memoryUsage.rss() > MUCH_BYTES) giveBack();
  }, TIDYING_MS).unref();

  return {
    store,
    catalogue,
    sessions,
    transactions,
    cursors,
    turns: createTurns(),
    path,
    startedAt: Date.now(),
    close() {
      clearInterval(reaping);
      clearInterval(tidying);
      stopExpiry();
      stopSumming();
      transactions.reap(Infinity);
      group.flush();
      transactions.close();
      closeMain(main);
    },
  };
}

function closeMain(main: Connection): void {
  try {
    main.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // Where the disk is full the log of writes stays, to be read at the next opening.
    if (storageError(error, main.path).code !== OUT_OF_DISK_SPACE) throw error;
  } finally {
    main.close();
  }
}
