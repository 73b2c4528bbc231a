import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { configure, readSettings, SettingsError } from "@app/server/core/settings";
import { MIGRATIONS } from "@app/server/migrations";

/** Runs a command-line task on the practice's database, whether its server is running or not. */
export async function withDatabase(task: () => Promise<void>): Promise<void> {
  try {
    configure(readSettings(process.env));
    await loadKey();
    const log = createLogger("warn");
    const database = await openDatabase({ log, join: true });
    try {
      await checkKey();
      await migrate(MIGRATIONS, log);
      await task();
    } finally {
      await database.close();
    }
  } catch (error) {
    const isExpected = error instanceof SettingsError;
    console.error(isExpected ? error.message : error);
    process.exitCode = 1;
  }
}
