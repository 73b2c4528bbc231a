import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runEngine } from "./run-engine.ts";

const USAGE = `Usage: node scripts/run.js server/embedded-mongo/src/cli.ts --dir DIR (--port PORT | --socket PATH)
Serves a data directory to any MongoDB client on this machine.
  --test-commands   also answers what only tests ask for`;

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    port: { type: "string" },
    socket: { type: "string" },
    "test-commands": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (values.help) return console.log(USAGE);
  process.umask(0o077);
  const { dir, port, socket } = values;
  if (!dir || (!port && !socket)) throw new Error(USAGE);
  if (socket && !/^[^A-Z]+\.sock$/.test(resolve(socket))) {
    throw new Error("drivers only know a socket whose path is in lower case and ends in .sock");
  }
  const target = socket ? { socket: resolve(socket) } : { port: Number(port) };
  const running = await runEngine({ dir: resolve(dir), hasTestCommands: values["test-commands"] }, target);
  const host = socket ? encodeURIComponent(running.address) : running.address;
  console.log(`mongodb://${host}/?replicaSet=rs0${socket ? "" : " (listens on this machine only, without sign-in)"}`);
  const stop = (): void => void running.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
