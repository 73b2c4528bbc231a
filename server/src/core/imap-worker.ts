// The thread that speaks with mail servers: what they answer is written by anybody, and is read only here.
import type { ImapFlow, ListResponse, MailboxLockObject, MailboxObject } from "imapflow";
import { parentPort, workerData } from "node:worker_threads";
import { type Account, answerBytes, newAccount, type Turns } from "./imap-account.ts";
import { countOf, fetchBounded, newFlow } from "./imap-connection.ts";
import {
  type Asked,
  askedSchema,
  type ConnectionState,
  type Failure,
  type PostedMail,
  threadGivenSchema,
} from "./imap-messages.ts";
import { watchWorkTime } from "./imap-work-time.ts";

// As many as are taken in at once without anybody noticing.
const POSTED_AT_ONCE = 10;
const FOUND_MAX = 500_000;
const FACT_MAX_LENGTH = 2000;
const NEWS_EVERY_MS = 1000;

interface Open {
  flow: ImapFlow;
  account: Account;
  lock: MailboxLockObject | undefined;
  /** Why it ended, where it was too much. */
  tooMuch: Error | undefined;
  /** What is still to be handed over. */
  fetched: PostedMail[];
}

const opened = new Map<number, Open>();
const turns: Turns = { holder: null, waiting: [] };
const given = threadGivenSchema.parse(workerData);
const workTimeOf = watchWorkTime(given.shown, given.workMaxMs);

const port = parentPort;
if (!port) throw new Error("this file is run by a worker alone");
const tell = (message: unknown): void => port.postMessage(message);

port.on("message", (message: unknown) => {
  const asked = askedSchema.parse(message);
  if (asked.method === "ping") tell({ pong: true });
  else void answer(asked);
});

async function answer(asked: Asked): Promise<void> {
  const { id, connection } = asked;
  try {
    const value = asked.method === "connect" ? await connect(asked) : await runCounted(openOf(connection), asked);
    tell({ id, state: stateOf(connection), value });
  } catch (error) {
    tell({ id, state: stateOf(connection), failure: failureOf(error) });
  }
}

async function connect(asked: Extract<Asked, { method: "connect" }>): Promise<void> {
  const { connection, of, options } = asked;
  const told = (event: "exists" | "close" | "tooMuch") => tell({ connection, state: stateOf(connection), event });
  const account = newAccount(turns);
  const workTime = workTimeOf({ connection, of }, () => {
    told("tooMuch");
    flow.close();
  });
  const flow = newFlow(options, account, workTime);
  const open: Open = { flow, account, lock: undefined, tooMuch: undefined, fetched: [] };
  opened.set(connection, open);
  flow.once("error", (error: Error) => (open.tooMuch = isTooMuch(error) ? error : undefined));
  flow.on(
    "exists",
    nowAndThen(() => opened.has(connection) && told("exists")),
  );
  flow.once("close", () => {
    account.leave();
    opened.delete(connection);
    told("close");
  });
  await counted(open, asked, () => flow.connect());
}

/** A server may have news ten thousand times a second; nobody looks as often. */
function nowAndThen(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const pause = () => {
    timer = isDue ? setTimeout(pause, NEWS_EVERY_MS).unref() : undefined;
    if (isDue) work();
    isDue = false;
  };
  return () => {
    isDue = true;
    if (!timer) pause();
  };
}

async function counted<Value>(open: Open, asked: Asked, work: () => Promise<Value>): Promise<Value> {
  const { account } = open;
  account.asks(answerBytes(asked, asked.method === "fetch" ? countOf(asked.range) : 0));
  try {
    return await work();
  } catch (error) {
    // The library says no more than that there is no connection any more.
    throw open.tooMuch ?? error;
  } finally {
    account.isAnswered();
  }
}

function openOf(id: number): Open {
  const open = opened.get(id);
  if (!open) throw Object.assign(new Error("Connection not available"), { code: "NoConnection" });
  return open;
}

function stateOf(id: number): ConnectionState {
  const flow = opened.get(id)?.flow;
  const box = flow?.mailbox;
  return { isUsable: flow?.usable ?? false, folder: box ? folderOf(box) : null };
}

/** Servers leave out what RFC 3501, section 6.3.1, asks them for, or say something else in its place. */
const folderOf = ({ path, exists, uidNext, uidValidity }: Partial<MailboxObject>): ConnectionState["folder"] => ({
  path: String(path),
  exists: isCount(exists) ? exists : 0,
  uidNext: isCount(uidNext) ? uidNext : null,
  uidValidity: typeof uidValidity === "bigint" ? uidValidity : 0n,
});

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const runCounted = (open: Open, asked: Exclude<Asked, { method: "connect" }>): Promise<unknown> =>
  counted(open, asked, () => run(open, asked));

async function run(open: Open, asked: Exclude<Asked, { method: "connect" }>): Promise<unknown> {
  const { flow } = open;
  switch (asked.method) {
    case "list":
      return (await flow.list()).filter(canBeOpened).map(({ path, specialUse }) => ({ path, specialUse }));
    case "status":
      return void (await flow.status(asked.folder, { messages: true }));
    case "create":
      return (await flow.mailboxCreate(asked.folder)).path;
    case "open":
      return void (await flow.mailboxOpen(asked.folder, { readOnly: true }));
    case "lock":
      open.lock = await flow.getMailboxLock(asked.folder, { readOnly: asked.readOnly });
      return undefined;
    case "release":
      return open.lock?.release();
    case "search":
      return search(flow, asked);
    case "fetch":
      open.fetched = await fetchBounded(flow, asked);
      return nextOf(open);
    case "more":
      return nextOf(open);
    case "append":
      return (await flow.append(asked.folder, asked.content, asked.flags)) !== false;
    case "noop":
      return flow.noop();
    case "idle":
      return void flow.idle().catch(() => flow.close());
    case "logout":
      return flow.logout();
    case "close":
      opened.delete(asked.connection);
      return flow.close();
  }
}

/** Not a name alone, which only has folders below it (RFC 3501, section 7.2.2). */
const canBeOpened = ({ flags }: ListResponse): boolean =>
  ![...flags].some((flag) => flag.toLowerCase() === "\\noselect");

/** A few at a time, so that taking them in stops nobody. */
const nextOf = ({ fetched }: Open) => ({ mails: fetched.splice(0, POSTED_AT_ONCE), hasMore: fetched.length > 0 });

type Searching = Extract<Asked, { method: "search" }>;

/** The uids, asked for as ranges where the server can: all mails of a large folder fill many lines. */
async function search(flow: ImapFlow, { query, mustLook }: Searching): Promise<Uint32Array> {
  const found = await flow.search(query, { uid: true, returnOptions: ["ALL"] });
  // The library hides a refusal.
  if (!found && mustLook) throw new Error("the server refused to search");
  if (!found || Array.isArray(found)) return Uint32Array.from((found || []).slice(-FOUND_MAX));
  const uids = new Uint32Array(FOUND_MAX);
  let count = 0;
  // The newest ones, where they are too many.
  for (const part of (found.all ?? "").split(",").filter(Boolean).toReversed()) {
    const [first = 0, last = first] = part.split(":").map(Number);
    for (let uid = Math.max(first, last); uid >= Math.min(first, last) && count < FOUND_MAX; uid -= 1)
      uids[count++] = uid;
  }
  return uids.slice(0, count);
}

const isTooMuch = (error: Error): boolean => "code" in error && TOO_MUCH.has(String(error.code));
const TOO_MUCH = new Set(["LineTooLarge", "LiteralTooLarge", "ResponseTooLarge"]);

/** What an error says, without what cannot be handed over. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), facts: {} };
  const facts = Object.entries(error).flatMap(([name, value]): [string, string | number | boolean][] => {
    if (typeof value === "string") return [[name, value.slice(0, FACT_MAX_LENGTH)]];
    return typeof value === "number" || typeof value === "boolean" ? [[name, value]] : [];
  });
  return { message: error.message.slice(0, FACT_MAX_LENGTH), facts: Object.fromEntries(facts) };
}
