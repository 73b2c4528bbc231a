// npm start: the product, until it is told to end. The README lists its settings, which are environment variables.
import type { Server } from "node:http";
import { PRODUCT_NAME } from "@app/shared/product";
import { createApp } from "./app.ts";
import { createHttpServer } from "./core/connections.ts";
import { loadKey } from "./core/crypto.ts";
import { openDatabase } from "./core/database.ts";
import { beginEnding, untilWritten } from "./core/ending.ts";
import { startJobs, stopJobs } from "./core/jobs.ts";
import { checkKey } from "./core/key-check.ts";
import { createLogger } from "./core/logger.ts";
import { migrate } from "./core/migrate.ts";
import { configure, publicUrl, readSettings, settings, SettingsError } from "./core/settings.ts";
import { endReading } from "./core/imap-client.ts";
import { closeConnections } from "./features/inbox/connections.ts";
import { closeWatches } from "./features/inbox/mail-watch.ts";
import { MIGRATIONS } from "./migrations.ts";

/** So many may come at once before one of them is looked at. */
const BACKLOG = 2048;
const STOP_LIMIT_MS = 9000;
const ANSWER_LIMIT_MS = 2000;

try {
  await start();
} catch (error) {
  process.exitCode = 1;
  console.error(plainReason(error));
  process.exit();
}

async function start() {
  configure(readSettings(process.env));
  const log = createLogger(settings().LOG_LEVEL);
  await loadKey();
  const database = await openDatabase({ log });
  await checkKey();
  await migrate(MIGRATIONS, log);
  await startJobs(log);
  const server = createHttpServer(createApp({ log }), log);
  await listen(server);
  // Port 0 asks for any free one; links name the one that was given.
  configure({ ...settings(), PORT: portOf(server) });
  console.log(`${PRODUCT_NAME} is running at ${publicUrl()}`);

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

/** One clear line about why the server did not start. */
function plainReason(error: unknown): string {
  const reason = (error instanceof Error ? error.message : String(error)).replaceAll("\n", "; ");
  if (error instanceof SettingsError) return `${PRODUCT_NAME} cannot start: ${reason}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isListening = error instanceof Error && "syscall" in error && error.syscall === "listen";
  const { HOST, PORT, dataDir } = settings();
  if (code === "EADDRINUSE")
    return `Port ${PORT} is in use by another program. Stop it, or choose another port: PORT=3001 npm start`;
  if (isListening) return `${PRODUCT_NAME} cannot listen at ${HOST}, port ${PORT} (${code}). Correct HOST or PORT.`;
  if (["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"].includes(code)) {
    return `${dataDir} cannot be written by this user. Change its owner, or choose another place with DATA_DIR.`;
  }
  return `${PRODUCT_NAME} cannot start: ${reason}`;
}
