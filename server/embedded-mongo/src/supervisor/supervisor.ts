// Keeps the engine's process running: starts it, waits until it listens, restarts it when it dies, stops it.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export type EngineState = "starting" | "ready" | "restarting" | "stopped";
export type Log = { info(message: string): void; error(message: string): void };
export type SupervisorOptions = { dir: string; socket: string; log: Log; onState(state: EngineState): void };
export type Supervisor = { stop(): Promise<void>; childPid(): number | undefined };

/** What the two processes tell each other. */
export type ParentMessage = { kind: "start"; dir: string; socket: string } | { kind: "stop" };
export type ChildMessage = { kind: "ready" } | { kind: "failed"; reason: string; isInUse: boolean };

/** Why an engine could not start, in one line fit for a person. */
export class EngineStartError extends Error {
  isInUse: boolean;

  constructor(reason: string, isInUse: boolean) {
    super(reason);
    this.isInUse = isInUse;
  }
}

const HEAP_MB = 512;
const STOP_PATIENCE_MS = 10_000;
/** So often it is started again at once; what dies again and again then waits longer each time. */
const QUICK_RESTARTS = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const STEADY_MS = 30_000;
const ENTRY = join(import.meta.dirname, "..", "engine-process.ts");

/** How long a restart waits, by how many there were in a row. */
export const delayBefore = (restarts: number): number =>
  restarts < QUICK_RESTARTS ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (restarts - QUICK_RESTARTS), LONGEST_DELAY_MS);

type Child = { process: ChildProcess; ready: Promise<void>; exited: Promise<string> };

function launch(dir: string, socket: string): Child {
  const process = fork(ENTRY, [], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, "--expose-gc", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const exited = Promise.withResolvers<string>();
  const ready = Promise.withResolvers<void>();
  let complaints = "";
  process.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-8_000);
  });
  process.on("message", (message: ChildMessage) => {
    if (message.kind === "ready") ready.resolve();
    // Node itself also writes to this channel, for instance under --watch.
    else if (message.kind === "failed") ready.reject(new EngineStartError(message.reason, message.isInUse));
  });
  const ended = (how: string): void => {
    const lines = complaints.split("\n").map((line) => line.trim());
    const telling = lines.find((line) => /^FATAL ERROR|Error\b.*:/.test(line));
    const reason = telling ? `${how}: ${telling}` : how;
    ready.reject(new EngineStartError(`the embedded database did not start (${reason})`, false));
    exited.resolve(reason);
  };
  process.on("error", (error) => ended(error.message));
  process.on("close", (code, signal) => ended(signal ? `ended by ${signal}` : `exit code ${String(code)}`));
  process.send({ kind: "start", dir, socket } satisfies ParentMessage);
  return { process, ready: ready.promise, exited: exited.promise };
}

/** A pause that can be ended early. */
function cancellable() {
  let cancel = (): void => undefined;
  return {
    cancel: () => cancel(),
    pause(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      cancel = () => {
        clearTimeout(timer);
        resolve();
      };
      return promise;
    },
  };
}

async function stopped({ process }: Child, over: Promise<void>): Promise<void> {
  if (process.connected) process.send({ kind: "stop" } satisfies ParentMessage);
  const stubborn = setTimeout(() => process.kill("SIGKILL"), STOP_PATIENCE_MS);
  await over;
  clearTimeout(stubborn);
}

/** Resolves once the engine listens. */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { dir, socket, log } = options;
  const onState = (state: EngineState): void => options.onState(state);
  let child = launch(dir, socket);
  let isStopping = false;
  let restarts = 0;
  let startedAt = Date.now();
  const wait = cancellable();
  const over = Promise.withResolvers<void>();

  const restart = async (): Promise<void> => {
    if (Date.now() - startedAt > STEADY_MS) restarts = 0;
    await wait.pause(delayBefore(restarts));
    restarts += 1;
    if (isStopping) return;
    startedAt = Date.now();
    child = launch(dir, socket);
    try {
      await child.ready;
      log.info("the embedded database runs again");
      onState("ready");
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  };

  const watch = async (): Promise<void> => {
    while (!isStopping) {
      // The old process has to be gone before a new one may bind to its socket.
      const reason = await child.exited;
      if (isStopping) break;
      log.error(`the embedded database ended unexpectedly (${reason}); starting it again`);
      onState("restarting");
      await restart();
    }
    await child.exited;
    onState("stopped");
    over.resolve();
  };

  onState("starting");
  try {
    await child.ready;
  } catch (error) {
    await child.exited;
    throw error;
  }
  onState("ready");
  void watch();

  return {
    childPid: () => child.process.pid,
    async stop() {
      isStopping = true;
      wait.cancel();
      await stopped(child, over.promise);
    },
  };
}
