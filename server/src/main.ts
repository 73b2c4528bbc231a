// npm start: the product, until it is told to end. The README lists its settings, which are environment variables.
import { PRODUCT_NAME } from "@app/shared/product";
import { loadKey } from "./core/crypto.ts";
import { startEngine } from "./core/database.ts";
import { createLogger } from "./core/logger.ts";
import { configure, publicUrl, readSettings, settings, SettingsError } from "./core/settings.ts";

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
  // It opens in a process of its own, while this one loads what it serves; what fails is told where it is waited for.
  const opening = startEngine({ log });
  opening.catch(() => undefined);
  const { serve } = await import("./serve.ts");
  await serve({ log, engine: await opening });
  console.log(`${PRODUCT_NAME} is running at ${publicUrl()}`);
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
