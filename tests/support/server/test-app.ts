import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createApp } from "@app/server/app";
import { createHttpServer } from "@app/server/core/connections";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { startJobs, stopJobs } from "@app/server/core/jobs";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings, settings } from "@app/server/core/settings";
import { isMailConfigured } from "@app/server/features/mail/system-mail.service";
import mongoose from "mongoose";
import { anOwnDatabase } from "./own-database.ts";

export interface TestApp {
  /** Where the product answers, such as http://localhost:41234. */
  url: string;
  /** Whether somebody who registers gets a link by mail; a product in a process of its own has no mail. */
  mailsLinks?(): boolean;
  close(): Promise<void>;
}

/** The whole server on a free port of this machine, with a real database of its own, as `environment` sets it up. */
export async function startTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "evenhand-app-"));
  configure(
    readSettings({
      NODE_ENV: "test",
      LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
      DATA_DIR: dataDir,
      MONGODB_URI: anOwnDatabase(),
      ...environment,
    }),
  );
  const log = createLogger(settings().LOG_LEVEL);
  await loadKey();
  const database = await openDatabase({ log });
  await checkKey();
  await startJobs(log);
  const server = createHttpServer(createApp({ log }), log);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://localhost:${port}`,
    mailsLinks: isMailConfigured,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stopJobs();
      await mongoose.connection.db?.dropDatabase();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
