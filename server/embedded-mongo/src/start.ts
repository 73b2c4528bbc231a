// The one door to the embedded database.
import { connect } from "node:net";
import { resolve } from "node:path";
import { readOwner } from "./supervisor/directory-lock.ts";
import { isTcp, makeSocketPlace, uriFor } from "./supervisor/socket-path.ts";
import { type EngineState, EngineStartError, type Log, supervise } from "./supervisor/supervisor.ts";

export type { EngineState, Log } from "./supervisor/supervisor.ts";

export type StartOptions = {
  /** Where the data lives; made when it is missing. */
  dir: string;
  log?: Log;
  /** Use the engine that already runs on this directory, if there is one. For command-line scripts. */
  join?: boolean;
};

export type EmbeddedMongo = {
  /** For mongoose or the driver. */
  uri: string;
  state(): EngineState;
  /** Calls back on every change and answers with what ends that. */
  onStateChange(listener: (state: EngineState) => void): () => void;
  enginePid(): number | undefined;
  stop(): Promise<void>;
};

const SILENT: Log = { info: () => undefined, error: () => undefined };
const JOIN_TRIES = 20;
const JOIN_PAUSE_MS = 100;

/** Starts the engine on a directory and resolves when it takes connections. Rejects with one line when it cannot. */
export async function startEmbeddedMongo(options: StartOptions): Promise<EmbeddedMongo> {
  const dir = resolve(options.dir);
  if (!options.join) return startOwn(dir, options.log ?? SILENT);
  for (let tries = 1; ; tries += 1) {
    const running = await findRunning(dir);
    if (running) return running;
    try {
      return await startOwn(dir, options.log ?? SILENT);
    } catch (error) {
      // Another process may have begun between the look and the start.
      if (!(error instanceof EngineStartError && error.isInUse) || tries >= JOIN_TRIES) throw error;
    }
    const { promise, resolve: resume } = Promise.withResolvers<void>();
    setTimeout(resume, JOIN_PAUSE_MS);
    await promise;
  }
}

async function findRunning(dir: string): Promise<EmbeddedMongo | undefined> {
  const owner = readOwner(dir);
  if (!owner || !(await accepts(owner.address))) return undefined;
  return {
    uri: uriFor(owner.address),
    state: () => "ready",
    onStateChange: () => () => undefined,
    enginePid: () => owner.pid,
    stop: () => Promise.resolve(),
  };
}

function accepts(address: string): Promise<boolean> {
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  const [host = "", port] = address.split(":");
  const socket = isTcp(address) ? connect(Number(port), host) : connect(address);
  socket.once("connect", () => answer(true)).once("error", () => answer(false));
  return promise.finally(() => socket.destroy());
}

async function startOwn(dir: string, log: Log): Promise<EmbeddedMongo> {
  const place = makeSocketPlace();
  const listeners = new Set<(state: EngineState) => void>();
  let current: EngineState = "starting";
  const onState = (state: EngineState): void => {
    current = state;
    for (const listener of listeners) listener(state);
  };
  try {
    const supervisor = await supervise({ dir, socket: place.path, log, onState });
    return {
      uri: uriFor(place.path),
      state: () => current,
      onStateChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      enginePid: () => supervisor.childPid(),
      async stop() {
        await supervisor.stop();
        place.remove();
      },
    };
  } catch (error) {
    place.remove();
    throw error;
  }
}
