// A process in which foreign content is opened. A thread could be given a limit on its heap as well, but one array that
// grows past it in a single step ends the process that the thread belongs to.
import { fork, type ChildProcess } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { LOADED } from "./foreign-work.ts";

const OPENER = fileURLToPath(new URL("./foreign-opener.ts", import.meta.url));
const IDLE_MS = 60_000;
const YOUNG_HEAP_MB = 8;
/** A third of what serves everybody gets, where the machine is busy: what one person handed in must not have as much. */
const NICENESS = 5;

export interface Task {
  file: string;
  input: unknown;
  /** Of the process's own time. */
  limitMs: number;
}

/** What was under way when the process had worked for too long, or needed more memory than it may. */
export class LimitReached extends Error {
  override name = "LimitReached";
}

export interface ForeignProcess {
  /** Starts it ahead of what it is to do. */
  warm(): void;
  /** Rejects with a LimitReached, and with the reason of the signal where nobody waits any more; one task at a time. */
  run(task: Task, going: Going): Promise<unknown>;
}

interface Going {
  signal: AbortSignal;
  /** Is called when the process has started, and the work itself begins. */
  onBegun: () => void;
}

/** Starts at first use, ends when nobody has used it for a while, and starts anew after it was ended. */
export function foreignProcess(heapMb: number): ForeignProcess {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  function started(): ChildProcess {
    child = child && mayWork(child) ? child : startOpener(heapMb);
    return child;
  }
  function rest(opener: ChildProcess): void {
    opener.unref();
    clearTimeout(idle);
    idle = setTimeout(() => opener.kill("SIGKILL"), IDLE_MS).unref();
  }
  return {
    warm: () => rest(started()),
    async run(task, going) {
      clearTimeout(idle);
      const opener = started();
      opener.ref();
      try {
        return await ask(opener, task, going);
      } finally {
        rest(opener);
      }
    },
  };
}

const mayWork = ({ killed, connected, exitCode, signalCode }: ChildProcess) =>
  !killed && connected && exitCode === null && signalCode === null;

function startOpener(heapMb: number): ChildProcess {
  const { TZ } = process.env;
  const child = fork(OPENER, [String(heapMb), String(process.pid)], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: TZ === undefined ? {} : { TZ },
    execArgv: [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${YOUNG_HEAP_MB}`],
  });
  child.channel?.unref();
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  // Whoever waits is told while they wait; at any other moment an error without a listener would end the server.
  child.on("error", () => undefined);
  return child;
}

function ask(child: ChildProcess, { file, ...toDo }: Task, { signal, onBegun }: Going): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    const say = (what: object) => child.send(what, (error) => error && onError(error));
    const settle = (end: () => void) => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      signal.removeEventListener("abort", onAbort);
      end();
    };
    const begin = () => {
      // Also what somebody before had it load, and did not wait for.
      if (hasBegun) return;
      hasBegun = true;
      onBegun();
      say(toDo);
    };
    const onMessage = (said: unknown) => (said === LOADED ? begin() : settle(() => resolve(said)));
    const onExit = (_code: number | null, ended: NodeJS.Signals | null) =>
      settle(() => reject(new LimitReached(ended === "SIGXCPU" ? "took too long" : "took too much memory")));
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => {
      // What only loads goes on: begun anew each time, it would never end where the machine is busy.
      if (hasBegun) child.kill("SIGKILL");
      settle(() => reject(signal.reason));
    };
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else say({ file });
  });
}
