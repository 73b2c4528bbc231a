// The one thread in which the answers of mail servers are read: started when first needed, and ended where a mail takes
// it too long. What its connections were doing fails then as if they had dropped.
import { Worker } from "node:worker_threads";
import { type Asked, type ConnectionState, type Failure, toldSchema } from "./imap-messages.ts";

const WORKER = new URL("./imap-worker.ts", import.meta.url);
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
const LOOK_MS = 500;
/** It reads on without a pause no longer than this, by its own time; and where the machine has other work by ours. */
const BUSY_MAX_MS = 5000;
const SILENT_MAX_MS = 25_000;

interface Listener {
  on: (event: "exists" | "close") => void;
  setState: (state: ConnectionState) => void;
}

interface Waiting {
  connection: number;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
  listeners: Map<number, Listener>;
  watch: NodeJS.Timeout | undefined;
  heard: { at: number; workedMs: number } | null;
}

let current: Thread | null = null;
let count = 0;

/** A place of a connection in the thread; what is asked there goes to this one connection. */
export interface Place {
  ask: (asked: AskedOf<Asked>) => Promise<unknown>;
  leave: () => void;
}

type AskedOf<One> = One extends Asked ? Omit<One, "id" | "connection"> : never;

export function takePlace(listener: Listener): Place {
  const thread = (current ??= startThread());
  const connection = (count += 1);
  thread.listeners.set(connection, listener);
  return {
    ask: (asked) => ask(thread, connection, asked),
    leave: () => void thread.listeners.delete(connection),
  };
}

function startThread(): Thread {
  // It needs nothing of the environment, and the secrets there are none of its business.
  const worker = new Worker(WORKER, { name: "imap", resourceLimits: LIMITS, env: {} });
  const thread: Thread = { worker, waiting: new Map(), listeners: new Map(), watch: undefined, heard: null };
  worker.unref();
  worker.on("message", (message) => hear(thread, message));
  worker.once("error", (error) => end(thread, error));
  worker.once("exit", () => end(thread, new Error("the thread that reads mail ended")));
  return thread;
}

function ask(thread: Thread, connection: number, asked: AskedOf<Asked>): Promise<unknown> {
  if (thread !== current) return Promise.reject(dropped());
  const id = (count += 1);
  return new Promise((resolve, reject) => {
    thread.waiting.set(id, { connection, resolve, reject });
    thread.worker.postMessage({ ...asked, id, connection });
    keepWatch(thread);
  });
}

function hear(thread: Thread, message: unknown): void {
  const told = toldSchema.parse(message);
  if ("pong" in told) {
    thread.heard = null;
    return;
  }
  if ("event" in told) {
    const listener = thread.listeners.get(told.connection);
    listener?.setState(told.state);
    listener?.on(told.event);
    return;
  }
  const asked = thread.waiting.get(told.id);
  thread.waiting.delete(told.id);
  keepWatch(thread);
  if (!asked) return;
  thread.listeners.get(asked.connection)?.setState(told.state);
  if ("failure" in told) asked.reject(errorOf(told.failure));
  else asked.resolve(told.value);
}

const errorOf = ({ message, facts }: Failure): Error => Object.assign(new Error(message), facts);

/** As long as somebody waits for it, it is looked after, and holds the process. */
function keepWatch(thread: Thread): void {
  if (thread.waiting.size === 0) {
    clearInterval(thread.watch);
    thread.watch = undefined;
    thread.heard = null;
    thread.worker.unref();
  } else if (!thread.watch) {
    thread.worker.ref();
    thread.watch = setInterval(() => void look(thread), LOOK_MS);
  }
}

async function look(thread: Thread): Promise<void> {
  // One that ends meanwhile cannot tell any more.
  const { user, system } = (await thread.worker.cpuUsage().catch(() => null)) ?? { user: 0, system: 0 };
  const workedMs = (user + system) / 1000;
  const { heard } = thread;
  if (!heard) {
    thread.heard = { at: performance.now(), workedMs };
    thread.worker.postMessage({ method: "ping" });
  } else if (workedMs - heard.workedMs > BUSY_MAX_MS || performance.now() - heard.at > SILENT_MAX_MS) {
    end(thread, new Error("a mail took too long to read"));
  }
}

function end(thread: Thread, cause: Error): void {
  if (current === thread) current = null;
  clearInterval(thread.watch);
  void thread.worker.terminate();
  const [waiting, listeners] = [[...thread.waiting.values()], [...thread.listeners.values()]];
  thread.waiting.clear();
  thread.listeners.clear();
  for (const listener of listeners) {
    listener.setState({ isUsable: false, folder: null });
    listener.on("close");
  }
  for (const { reject } of waiting) reject(dropped(cause));
}

const dropped = (cause?: Error): Error =>
  Object.assign(new Error("The connection to the mail server ended.", { cause }), { code: "NoConnection" });
