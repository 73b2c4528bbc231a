// Serves a data directory, as the words of a command line say.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type RunningEngine, runEngine } from "./run-engine.ts";
import type { Answerer } from "./commands/dispatch.ts";

const USAGE = `Usage: node scripts/run.js server/embedded-mongo/src/cli.ts --dir DIR (--port PORT | --socket PATH)
Serves a data directory to any MongoDB client on this machine.`;

/** Gives undefined where only help was asked for. */
export async function serveFromWords(
  say: (line: string) => void,
  answerer?: Answerer,
): Promise<RunningEngine | undefined> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { dir: text, port: text, socket: text, help: { type: "boolean", default: false } },
  });
  const { dir, port, socket, help } = values;
  if (help) {
    say(USAGE);
    return undefined;
  }
  process.umask(0o077);
  if (!dir || (!port && !socket)) throw new Error(USAGE);
  if (socket && !/^[^A-Z]+\.sock$/.test(resolve(socket))) {
    throw new Error("drivers only know a socket whose path is in lower case and ends in .sock");
  }
  const target = socket ? { socket: resolve(socket) } : { port: Number(port) };
  const running = await runEngine({ dir: resolve(dir) }, target, answerer);
  const host = socket ? encodeURIComponent(running.address) : running.address;
  say(`mongodb://${host}/?replicaSet=rs0${socket ? "" : " (listens on this machine only, without sign-in)"}`);
  const stop = (): void => void running.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return running;
}
