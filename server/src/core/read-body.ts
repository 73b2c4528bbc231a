// The body of a request, read only once it is known that it is wanted, and no byte more than is taken.
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TRPCError } from "@trpc/server";
import { SMALL_BYTES } from "./body-room.ts";
import { holdRoom, outOfTurn } from "./call-turns.ts";
import { callerGone } from "./caller.ts";
import { type Asker, fairTurns, inTurn } from "./fair-turns.ts";
import { isBearable, longTextsIn } from "./json-bounds.ts";
import { type LongText, notJson, type Revive, tooLarge, withoutFiles } from "./json-files.ts";

/** What is not small is worked on in turns: several at once would keep everybody else waiting for all of them. */
const takeTurn = fairTurns({ atOnce: 1, ofOne: 1 });

const brokenOff = () => new TRPCError({ code: "BAD_REQUEST", message: "The request broke off. Send it again." });

/** Refuses what says by itself that it is larger, before any of it is read. */
export function assertFits(req: IncomingMessage, limitBytes: number, refusal: () => Error = tooLarge): void {
  if (Number(req.headers["content-length"] ?? 0) > limitBytes) throw refusal();
}

/** The whole body. There is room for it before any of it is read, where it says how long it is. */
export async function readBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if ((req.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message: "Send it without compression." });
  }
  assertFits(req, limitBytes);
  holdRoom(Number(req.headers["content-length"] ?? 0));
  return outOfTurn(() => arrived(req, limitBytes));
}

async function arrived(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  // What says how long it is lies in one place from the start, so that it never lies in two.
  const whole = Buffer.allocUnsafeSlow(Number(req.headers["content-length"] ?? 0));
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer still has to leave by this connection, which destroying the request would end.
  const arriving: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of whileAsked(arriving)) {
      if (bytes + chunk.length > limitBytes) throw tooLarge();
      holdRoom(bytes + chunk.length);
      if (bytes + chunk.length <= whole.length) chunk.copy(whole, bytes);
      else chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw error instanceof TRPCError ? error : brokenOff();
  }
  return chunks.length === 0 ? whole.subarray(0, bytes) : Buffer.concat(chunks);
}

/**
 * What still comes ends with the request: Node tells of a body that breaks off only as long as no answer has left, and
 * one that was answered at its deadline would be waited for until the server ends.
 */
async function* whileAsked<Item>(arriving: AsyncIterable<Item>): AsyncGenerator<Item> {
  const over = Promise.withResolvers<never>();
  const gone = callerGone();
  const leave = () => over.reject(brokenOff());
  if (gone?.aborted) throw brokenOff();
  gone?.addEventListener("abort", leave, { once: true });
  const items = arriving[Symbol.asyncIterator]();
  try {
    for (;;) {
      const item = await Promise.race([items.next(), over.promise]);
      if (item.done) return;
      yield item.value;
    }
  } finally {
    gone?.removeEventListener("abort", leave);
    // Not waited for: it would wait for what does not come any more.
    void items.return?.();
  }
}

/** What a body of JSON says (RFC 8259: always UTF-8); undefined where it is empty. Refuses what is very deep or of very much. */
export async function readJson(req: IncomingMessage, limitBytes: number, asker: Asker): Promise<unknown> {
  const bytes = await jsonBytes(req, limitBytes);
  return inBodyTurn(bytes, asker, () => parsed(bytes));
}

/** The same where its fields `content` are files: those are read piece by piece, out of what has come. */
export async function readJsonWithFiles(
  req: IncomingMessage,
  limitBytes: number,
  asker: Asker,
): Promise<JsonWithFiles> {
  const bytes = await jsonBytes(req, limitBytes);
  return inBodyTurn(bytes, asker, async () => {
    const { rest, valueOf, fileOf } = withoutFiles(bytes, longTextsIn(bytes) ?? refuse());
    return { json: await parsed(rest, valueOf), fileOf };
  });
}

export interface JsonWithFiles {
  json: unknown;
  /** The file that a field `content` stands for; null where the field says it itself. */
  fileOf: (content: string) => LongText | null;
}

function refuse(): never {
  throw tooLarge();
}

function jsonBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (!/^[^;]*(;\s*charset="?utf-8"?\s*)?$/i.test(req.headers["content-type"] ?? "")) throw notJson();
  return readBytes(req, limitBytes);
}

/** Work on a body that has come in: at once where it is small, else in turns with all others, who are heard in between. */
export const inBodyTurn = <Result>(body: Buffer, asker: Asker, work: () => Promise<Result>): Promise<Result> =>
  body.length > SMALL_BYTES ? inTurn(takeTurn, asker, () => nextTurn().then(work), callerGone()) : work();

async function parsed(bytes: Buffer, valueOf?: Revive): Promise<unknown> {
  if (!isBearable(bytes)) throw tooLarge();
  const text = new TextDecoder().decode(bytes);
  if (text === "") return undefined;
  if (bytes.length > SMALL_BYTES) await nextTurn();
  try {
    const json: unknown = JSON.parse(text, valueOf);
    return json;
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson();
    throw error;
  }
}
