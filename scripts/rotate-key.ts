import "@app/server/app-router";
import { resealAll } from "@app/server/core/sealed-fields";
import { SettingsError, settings } from "@app/server/core/settings";
import { runCommand } from "./run-command.ts";

const USAGE = `Usage: npm run rotate-key
Seals every stored secret with SECRET_KEY that a key of SECRET_KEY_PREVIOUS sealed. Start the servers with both settings
first: they read either key then. It may be ended and begun again.`;
const NOTE_EVERY = 1000;

async function rotate() {
  if (settings().SECRET_KEY_PREVIOUS.length === 0) {
    throw new SettingsError(
      "There is no key to leave. Put the key of now (without SECRET_KEY it is in secret.key of the data directory) into SECRET_KEY_PREVIOUS and a new one into SECRET_KEY: openssl rand -base64 32 makes one. Restart the server with both, then run this again.",
    );
  }
  let count = 0;
  const { resealed, unreadable } = await resealAll(() => {
    count += 1;
    if (count % NOTE_EVERY === 0) console.log(`${count} done`);
  });
  console.log(`${resealed} stored secrets now carry the new key.`);
  for (const { collection, id, path } of unreadable) console.error(`${collection} ${id}: ${path} opens with no key`);
  if (unreadable.length > 0) throw new SettingsError(`${unreadable.length} could not be read, and are as they were.`);
  console.log("Nothing needs the key of before any more: take SECRET_KEY_PREVIOUS away and restart the server.");
}

await runCommand(USAGE, rotate);
