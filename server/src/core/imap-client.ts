// A connection to a mail server, as the server uses it: it lives in a thread of its own.
import type { ImapFlowOptions, SearchObject } from "imapflow";
import { EventEmitter } from "node:events";
import { z } from "zod";
import { isEnding } from "./ending.ts";
import {
  type ConnectionState,
  fetchedSchema,
  type FetchOptions,
  foundSchema,
  type Mail,
  type MailQuery,
} from "./imap-messages.ts";
import { CutOffError } from "./imap-thread.ts";
import { startThreads, type Threads } from "./imap-threads.ts";

const threads = startThreads();

export interface ImapClient {
  /** Whether it is open still. */
  readonly usable: boolean;
  /** The open folder. */
  readonly mailbox: ConnectionState["folder"];
  /** All folders that can be opened. */
  list(): Promise<{ path: string; specialUse?: string | undefined }[]>;
  status(folder: string): Promise<void>;
  /** Answers its path. */
  mailboxCreate(folder: string): Promise<string>;
  mailboxOpen(folder: string): Promise<void>;
  /** Opens a folder for as long as nobody else uses the connection. */
  getMailboxLock(folder: string, options?: { readOnly: boolean }): Promise<{ release: () => void }>;
  /** The uids of what it finds; nothing where the server refuses to look, unless it must. */
  search(query: SearchObject, options?: { mustLook: boolean }): Promise<number[]>;
  fetchAll(range: string, query: MailQuery, options: FetchOptions): Promise<Mail[]>;
  fetchOne(uid: number, query: MailQuery): Promise<Mail | undefined>;
  /** False where the folder takes nothing. */
  append(folder: string, content: Buffer, flags: string[]): Promise<boolean>;
  noop(): Promise<void>;
  /** Waits for mail until something else is asked. */
  idle(): void;
  logout(): Promise<void>;
  close(): void;
  on(event: "exists" | "close", listener: () => void): void;
}

const listedSchema = z.array(z.object({ path: z.string(), specialUse: z.string().optional() }));

/** Whether this person's mail waits for somebody else's now, in the thread that reads both. */
export const waitsForOthers = (of: string): boolean => threads.waitsForOthers(of);

/** Ends the threads in which mail is read, as when the process stops. */
export const endReading = (): void => threads.end();

/** Once more where the reading of others cut it off: for what may be done twice. */
export async function againIfCutOff<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CutOffError && !isEnding()) return work();
    throw error;
  }
}

interface Whose {
  /** Whose mailbox it is: what its server does is theirs alone. */
  of: string;
  within?: Threads;
}

/** Connects and signs in. One connection cannot be opened twice. */
export async function connectImap(options: ImapFlowOptions, { of, within = threads }: Whose): Promise<ImapClient> {
  const events = new EventEmitter();
  let state: ConnectionState = { isUsable: false, folder: null };
  let isClosed = false;
  const place = within.takePlace(of, {
    setState: (told) => (state = isClosed ? { isUsable: false, folder: null } : told),
    on: (event) => (event === "close" ? end() : events.emit(event)),
  });
  const { ask } = place;
  function end(): void {
    if (isClosed) return;
    isClosed = true;
    state = { isUsable: false, folder: null };
    place.leave();
    events.emit("close");
  }
  const client: ImapClient = {
    get usable() {
      return state.isUsable;
    },
    get mailbox() {
      return state.folder;
    },
    list: async () => listedSchema.parse(await ask({ method: "list" })),
    status: async (folder) => void (await ask({ method: "status", folder })),
    mailboxCreate: async (folder) => z.string().parse(await ask({ method: "create", folder })),
    mailboxOpen: async (folder) => void (await ask({ method: "open", folder })),
    async getMailboxLock(folder, { readOnly } = { readOnly: false }) {
      await ask({ method: "lock", folder, readOnly });
      return { release: () => void ask({ method: "release" }).catch(() => undefined) };
    },
    search: async (query, { mustLook } = { mustLook: false }) => [
      ...foundSchema.parse(await ask({ method: "search", query, mustLook })),
    ],
    async fetchAll(range, query, options) {
      const mails: Mail[] = [];
      let some = fetchedSchema.parse(await ask({ method: "fetch", range, query, options }));
      for (; some.hasMore; some = fetchedSchema.parse(await ask({ method: "more" }))) mails.push(...some.mails);
      return [...mails, ...some.mails];
    },
    fetchOne: async (uid, query) => (await client.fetchAll(String(uid), query, { uid: true }))[0],
    append: async (folder, content, flags) =>
      z.boolean().parse(await ask({ method: "append", folder, content, flags })),
    noop: async () => void (await ask({ method: "noop" })),
    idle: () => void ask({ method: "idle" }).catch(() => undefined),
    logout: async () => void (await ask({ method: "logout" })),
    close() {
      void ask({ method: "close" }).catch(() => undefined);
      end();
    },
    on: (event, listener) => void events.on(event, listener),
  };
  try {
    await ask({ method: "connect", of, options });
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}
