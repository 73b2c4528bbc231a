// A thread in which the answers of mail servers are read, and which is ended where one takes it too long. What its other
// connections were doing is cut off then, by no fault of theirs.
import { Worker } from "node:worker_threads";
import {
  type Asked,
  type ConnectionState,
  type Failure,
  tellingSchema,
  type ThreadGiven,
  toldSchema,
} from "./imap-messages.ts";

const WORKER = new URL("./imap-worker.ts", import.meta.url);
const MEMORY = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 };
const HELD_UP_MS = 1500;

/** The reading of somebody else's mail, or this machine, is why it ended: it may be tried again at once. */
export class CutOffError extends Error {
  code = "CutOff";
  constructor(cause?: Error) {
    super("Reading this mailbox was cut off, by no fault of its mail server.", { cause });
  }
}

/** What this very server answers takes too long to read. */
export class TooMuchToReadError extends Error {
  code = "TooMuchToRead";
  constructor() {
    super("What the mail server answers takes too long to read.");
  }
}

/** Nothing is read for now, because it took too long the last time. */
export class LeftAloneError extends Error {
  code = "LeftAlone";
  constructor() {
    super("What the mail server answers took too long to read.");
  }
}

/** This very server says what no mail server says. */
export class NotUnderstoodError extends Error {
  code = "NotUnderstood";
  constructor() {
    super("What the mail server answers cannot be understood.");
  }
}

export interface Listener {
  on: (event: "exists" | "close") => void;
  setState: (state: ConnectionState) => void;
}

interface Connection extends Listener {
  number: number;
  of: string;
  /** Why it ended here. */
  ended: Error | null;
}

interface Waiting {
  connection: Connection;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface Limits {
  lookMs: number;
  workMaxMs: number;
  /** It reads on without a pause no longer than this, by its own time; and where the machine has other work by ours. */
  busyMaxMs: number;
  silentMaxMs: number;
  /** Then its memory is given back. */
  unusedMaxMs: number;
}

export interface ThreadOptions {
  limits: Limits;
  isApart: boolean;
  onTooMuch: (of: string) => void;
  onEnd: () => void;
}

export interface Thread {
  options: ThreadOptions;
  worker: Worker;
  /** The number of the connection whose answer it reads. */
  shown: Int32Array;
  waiting: Map<number, Waiting>;
  connections: Map<number, Connection>;
  watch: NodeJS.Timeout | undefined;
  unused: NodeJS.Timeout | undefined;
  asked: { at: number; workedMs: number } | null;
  isReady: boolean;
  isEnded: boolean;
}

/** A place of a connection in a thread; what is asked there goes to this one connection. */
export interface Place {
  ask: (asked: AskedOf<Asked>) => Promise<unknown>;
  leave: () => void;
}

type AskedOf<One> = One extends Asked ? Omit<One, "id" | "connection"> : never;

let count = 0;

export function startThread(options: ThreadOptions): Thread {
  const shown = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadGiven = { shown, workMaxMs: options.limits.workMaxMs };
  // It needs nothing of the environment, and the secrets there are none of its business.
  const worker = new Worker(WORKER, { name: "imap", resourceLimits: MEMORY, env: {}, workerData });
  const thread: Thread = {
    options,
    worker,
    shown,
    waiting: new Map(),
    connections: new Map(),
    watch: undefined,
    unused: undefined,
    asked: null,
    isReady: false,
    isEnded: false,
  };
  worker.unref();
  worker.on("message", (message) => hear(thread, message));
  worker.once("error", (error) => endThread(thread, error, readOf(thread)));
  worker.once("exit", () => endThread(thread, new Error("the thread that reads mail ended")));
  return thread;
}

export function placeIn(thread: Thread, of: string, listener: Listener): Place {
  const connection = { ...listener, of, number: (count += 1), ended: null };
  thread.connections.set(connection.number, connection);
  clearTimeout(thread.unused);
  return {
    ask: (asked) => ask(thread, connection, asked),
    leave() {
      thread.connections.delete(connection.number);
      clearTimeout(thread.unused);
      if (thread.connections.size > 0) return;
      thread.unused = setTimeout(
        () => endThread(thread, new Error("unused")),
        thread.options.limits.unusedMaxMs,
      ).unref();
    },
  };
}

/** Whose answer holds it up now; undefined where nobody waits. */
export const heldUpBy = (thread: Thread): string | undefined =>
  thread.asked && performance.now() - thread.asked.at > HELD_UP_MS ? (readOf(thread) ?? "") : undefined;

/** Whose answer it reads. */
const readOf = ({ connections, shown, options }: Thread): string | undefined =>
  connections.get(Atomics.load(shown, 0))?.of ?? (options.isApart ? [...connections.values()][0]?.of : undefined);

function ask(thread: Thread, connection: Connection, asked: AskedOf<Asked>): Promise<unknown> {
  if (connection.ended || thread.isEnded) return Promise.reject(connection.ended ?? new CutOffError());
  const id = (count += 1);
  return new Promise((resolve, reject) => {
    thread.waiting.set(id, { connection, resolve, reject });
    thread.worker.postMessage({ ...asked, id, connection: connection.number });
    keepWatch(thread);
  });
}

function hear(thread: Thread, message: unknown): void {
  const heard = toldSchema.safeParse(message);
  if (!heard.success) return giveUp(thread, message);
  const told = heard.data;
  thread.isReady = true;
  if ("pong" in told) {
    thread.asked = null;
    return;
  }
  if ("event" in told) {
    const connection = thread.connections.get(told.connection);
    if (told.event === "tooMuch") {
      if (connection) endAllOf(thread, connection.of);
      return;
    }
    connection?.setState(told.state);
    connection?.on(told.event);
    return;
  }
  const one = thread.waiting.get(told.id);
  thread.waiting.delete(told.id);
  keepWatch(thread);
  if (!one) return;
  one.connection.setState(told.state);
  if ("failure" in told) one.reject(errorOf(told.failure));
  else one.resolve(told.value);
}

/** What a server made the thread tell is no reason for anybody else's work to end. */
function giveUp(thread: Thread, message: unknown): void {
  const { id, connection: number } = tellingSchema.safeParse(message).data ?? {};
  const connection = thread.waiting.get(id ?? 0)?.connection ?? thread.connections.get(number ?? 0);
  if (!connection) return;
  thread.worker.postMessage({ method: "close", id: (count += 1), connection: connection.number });
  drop(thread, connection, new NotUnderstoodError());
}

const errorOf = ({ message, facts }: Failure): Error => Object.assign(new Error(message), facts);

/** As long as somebody waits for it, it is looked after, and holds the process. */
function keepWatch(thread: Thread): void {
  if (thread.waiting.size === 0) {
    clearInterval(thread.watch);
    thread.watch = undefined;
    thread.asked = null;
    thread.worker.unref();
  } else if (!thread.watch) {
    thread.worker.ref();
    thread.watch = setInterval(() => void look(thread), thread.options.limits.lookMs);
  }
}

async function look(thread: Thread): Promise<void> {
  // One that ends meanwhile cannot tell any more.
  const { user, system } = (await thread.worker.cpuUsage().catch(() => null)) ?? { user: 0, system: 0 };
  const workedMs = (user + system) / 1000;
  if (thread.waiting.size === 0) return;
  const { asked, options, isReady } = thread;
  if (!asked) {
    thread.asked = { at: performance.now(), workedMs };
    thread.worker.postMessage({ method: "ping" });
  } else if (isReady && workedMs - asked.workedMs > options.limits.busyMaxMs) {
    endThread(thread, new Error("an answer took too long to read"), readOf(thread));
  } else if (performance.now() - asked.at > options.limits.silentMaxMs) {
    endThread(thread, new Error("the thread that reads mail is silent"));
  }
}

/** What this person's servers do here is too much: in a thread of its own it may go on. */
function endAllOf(thread: Thread, of: string): void {
  thread.options.onTooMuch(of);
  for (const connection of thread.connections.values()) {
    if (connection.of !== of) continue;
    thread.worker.postMessage({ method: "close", id: (count += 1), connection: connection.number });
    drop(thread, connection, thread.options.isApart ? new TooMuchToReadError() : new CutOffError());
  }
}

/** Ends the thread, for all; `guilty` is whose server made it. */
export function endThread(thread: Thread, cause: Error, guilty?: string): void {
  if (thread.isEnded) return;
  thread.isEnded = true;
  thread.options.onEnd();
  if (guilty !== undefined) thread.options.onTooMuch(guilty);
  clearTimeout(thread.unused);
  void thread.worker.terminate();
  for (const connection of thread.connections.values()) {
    const isTheirs = thread.options.isApart && connection.of === guilty;
    drop(thread, connection, isTheirs ? new TooMuchToReadError() : new CutOffError(cause));
  }
  keepWatch(thread);
}

function drop(thread: Thread, connection: Connection, why: Error): void {
  connection.ended = why;
  thread.connections.delete(connection.number);
  for (const [id, one] of thread.waiting) {
    if (one.connection !== connection) continue;
    thread.waiting.delete(id);
    one.reject(why);
  }
  connection.setState({ isUsable: false, folder: null });
  connection.on("close");
  keepWatch(thread);
}
