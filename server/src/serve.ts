import type { Server } from "node:http";
import { createApp } from "./app.ts";
import { createHttpServer } from "./core/connections.ts";
import { connectDatabase, type Engine } from "./core/database.ts";
import { beginEnding, untilWritten } from "./core/ending.ts";
import { startJobs, stopJobs } from "./core/jobs.ts";
import { checkKey } from "./core/key-check.ts";
import type { Logger } from "./core/logger.ts";
import { migrate } from "./core/migrate.ts";
import { configure, settings } from "./core/settings.ts";
import { endReading } from "./core/imap-client.ts";
import { closeConnections } from "./features/inbox/connections.ts";
import { closeWatches } from "./features/inbox/mail-watch.ts";
import { MIGRATIONS } from "./migrations.ts";

/** So many may come at once before one of them is looked at. */
const BACKLOG = 2048;
const STOP_LIMIT_MS = 9000;
const ANSWER_LIMIT_MS = 2000;

interface Options {
  log: Logger;
  engine: Engine;
}

/** Listens and answers, and ends in order when it is told to. */
export async function serve({ log, engine }: Options): Promise<void> {
  const database = await connectDatabase(engine);
  await checkKey();
  await migrate(MIGRATIONS, log);
  await startJobs(log);
  const server = createHttpServer(createApp({ log }), log);
  await listen(server);
  // Port 0 asks for any free one; links name the one that was given.
  configure({ ...settings(), PORT: portOf(server) });

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    beginEnding();
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // Event streams never end by themselves; a request in flight gets a moment to answer.
    setTimeout(() => server.closeAllConnections(), ANSWER_LIMIT_MS).unref();
    await closed;
    await stopJobs();
    closeWatches();
    closeConnections();
    // Copies for Sent that take long end with it, and what they belong to is noted without them.
    endReading();
    await untilWritten();
    await database.close();
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings().PORT, settings().HOST, BACKLOG, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : settings().PORT;
}
