// One connection for commands per mailbox, kept a while, and one thing at a time on it.
import { TRPCError } from "@trpc/server";
import { callerGone } from "../../core/caller.ts";
import { outOfTurn } from "../../core/call-turns.ts";
import { type ImapClient, waitsForOthers } from "../../core/imap-client.ts";
import { CutOffError, LeftAloneError } from "../../core/imap-thread.ts";
import { tooManyRequests, wrongState } from "../../core/errors.ts";
import { diagnose } from "../mailboxes/diagnosis.service.ts";
import { providerOfServer } from "../mailboxes/mail-providers.service.ts";
import { type Mailbox, mailboxOf, openImap } from "../mailboxes/mailbox-access.service.ts";

// A page asks for no longer than this, so that it can still be told why.
const WORK_LIMIT_MS = 8000;
const KEPT_MS = 2 * 60_000;
const QUEUE_MAX = 30;
const BACK_OFF_MAX_MS = 60_000;
const AGAIN_MIN_MS = 3000;

export type Work<Result> = (client: ImapClient) => Promise<Result>;

interface Line {
  /** Tells whether the mailbox is still the one that the connection was made with. */
  fingerprint: string;
  client: ImapClient | null;
  /** Counts up whenever the connection is given up. */
  generation: number;
  tail: Promise<unknown>;
  waiting: number;
  closing: NodeJS.Timeout | undefined;
  failures: number;
  /** After a failed sign-in the next ones wait, so that no server locks the person out. */
  retryAt: number;
  refusal: unknown;
}

class TooSlowError extends Error {
  code: "TOO_SLOW" | "READ_TOO_SLOW" = "TOO_SLOW";
}

const lines = new Map<string, Line>();

/** Does this work on the person's mailbox. Throws PRECONDITION_FAILED where none is connected, BAD_GATEWAY where it fails. */
export async function withMailbox<Result>(
  userId: string,
  work: Work<Result>,
  limitMs = WORK_LIMIT_MS,
): Promise<Result> {
  const mailbox = await mailboxOf(userId);
  if (!mailbox) throw noMailbox();
  const line = lineOf(userId, mailbox);
  if (line.waiting >= QUEUE_MAX) throw tooManyRequests("Your mailbox is busy. Try again in a moment.");
  line.waiting += 1;
  clearTimeout(line.closing);
  const gone = callerGone();
  const turn = line.tail.then(() => {
    // Whoever gave up meanwhile keeps nobody waiting.
    gone?.throwIfAborted();
    return inTurn(line, mailbox, { work, limitMs });
  });
  line.tail = turn.catch(() => undefined);
  try {
    return await outOfTurn(() => turn);
  } catch (error) {
    throw plainFailure(error, mailbox);
  } finally {
    line.waiting -= 1;
    if (line.waiting === 0) line.closing = setTimeout(() => drop(line), KEPT_MS).unref();
  }
}

export const noMailbox = () => wrongState("No mailbox is connected. Connect yours on the email settings page.");

/** Ends every connection of this process. */
export function closeConnections(): void {
  for (const line of lines.values()) {
    clearTimeout(line.closing);
    drop(line);
  }
  lines.clear();
}

/** How many connections for commands stand open now. */
export const openConnections = (): number => [...lines.values()].filter(({ client }) => client?.usable).length;

export const fingerprintOf = ({ email, imap }: Mailbox): string =>
  JSON.stringify([email, imap.host, imap.port, imap.secure, imap.user, imap.password]);

function lineOf(userId: string, mailbox: Mailbox): Line {
  const fingerprint = fingerprintOf(mailbox);
  const known = lines.get(userId);
  if (known?.fingerprint === fingerprint) return known;
  if (known) void known.tail.then(() => drop(known));
  const line: Line = {
    fingerprint,
    client: null,
    generation: 0,
    tail: Promise.resolve(),
    waiting: 0,
    closing: undefined,
    failures: 0,
    retryAt: 0,
    refusal: null,
  };
  lines.set(userId, line);
  return line;
}

interface Turn<Result> {
  work: Work<Result>;
  limitMs: number;
}

async function inTurn<Result>(line: Line, mailbox: Mailbox, { work, limitMs }: Turn<Result>): Promise<Result> {
  const wasOpen = line.client?.usable === true;
  const startedAt = performance.now();
  const attempt = async () => work(await connected(line, mailbox));
  try {
    return await withLimit(attempt(), limitMs);
  } catch (error) {
    if (error instanceof TRPCError) throw error;
    const isTooSlow = error instanceof TooSlowError;
    // It answers, and what was asked of it takes long.
    if (isTooSlow && line.client?.usable) error.code = "READ_TOO_SLOW";
    const isHeldUp = isTooSlow && waitsForOthers(mailbox.userId);
    drop(line);
    if (isHeldUp) throw new CutOffError(error);
    // A connection that was kept may have ended unnoticed; reading once more does no harm.
    if (error instanceof CutOffError)
      return await againAfterCut(attempt, error, limitMs - (performance.now() - startedAt));
    if (!wasOpen || isTooSlow) throw error;
    return await withLimit(attempt(), limitMs);
  }
}

/** In what is left of the time; nobody's server is to blame where that is too little. */
async function againAfterCut<Result>(attempt: () => Promise<Result>, cut: unknown, leftMs: number): Promise<Result> {
  try {
    return await withLimit(attempt(), Math.max(AGAIN_MIN_MS, leftMs));
  } catch (error) {
    throw error instanceof TooSlowError ? cut : error;
  }
}

async function connected(line: Line, mailbox: Mailbox): Promise<ImapClient> {
  if (line.client?.usable) return line.client;
  drop(line);
  if (performance.now() < line.retryAt) throw line.refusal;
  const mine = (line.generation += 1);
  try {
    const client = await openImap(mailbox);
    line.failures = 0;
    // Whoever asked for it gave up meanwhile.
    if (line.generation !== mine) client.close();
    else line.client = client;
    return client;
  } catch (error) {
    if (error instanceof CutOffError) throw error;
    line.failures += 1;
    line.refusal = error;
    line.retryAt = performance.now() + backOff(line.failures);
    throw error;
  }
}

export const backOff = (failures: number): number => Math.min(BACK_OFF_MAX_MS, 1000 * 2 ** (failures - 1));

async function withLimit<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlowError("did not answer in time")), limitMs);
  });
  try {
    return await Promise.race([work, tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}

function drop(line: Line): void {
  line.generation += 1;
  line.client?.close();
  line.client = null;
}

/** What went wrong, for a person. */
export function plainFailure(error: unknown, { imap: { host, port, secure } }: Mailbox): TRPCError {
  if (error instanceof TRPCError) return error;
  const attempt = { side: "imap", host, port, secure, provider: providerOfServer(host) } as const;
  const { what, whatToDo } = diagnose(error, attempt);
  const code = error instanceof CutOffError || error instanceof LeftAloneError ? "SERVICE_UNAVAILABLE" : "BAD_GATEWAY";
  return new TRPCError({ code, message: `${what} ${whatToDo}`, cause: error });
}

/** Whether the mailbox cannot be read now, rather than what was asked of it. */
export const isGivenUp = (error: unknown): error is TRPCError =>
  error instanceof TRPCError && ["BAD_GATEWAY", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"].includes(error.code);

/** Whether that is because of what was read there, rather than of what goes on here. */
export const isBroken = (error: unknown): boolean => error instanceof TRPCError && error.code === "BAD_GATEWAY";
