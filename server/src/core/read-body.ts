// The body of a request, read only once it is known that it is wanted, and no byte more than is taken.
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TRPCError } from "@trpc/server";
import { SMALL_BYTES } from "./body-room.ts";
import { holdRoom, outOfTurn } from "./call-turns.ts";
import { callerGone } from "./caller.ts";
import { type Asker, fairTurns, inTurn } from "./fair-turns.ts";
import { isBearable } from "./json-bounds.ts";

/** What is not small is worked on in turns: several at once would keep everybody else waiting for all of them. */
const takeTurn = fairTurns({ atOnce: 1, ofOne: 1 });

const tooLarge = () => new TRPCError({ code: "PAYLOAD_TOO_LARGE", message: "This is too large to send at once." });
const brokenOff = () => new TRPCError({ code: "BAD_REQUEST", message: "The request broke off. Send it again." });
const notJson = () => new TRPCError({ code: "BAD_REQUEST", message: "The request is not JSON. Send JSON in UTF-8." });

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
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer still has to leave by this connection, which destroying the request would end.
  const arriving: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge();
      holdRoom(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TRPCError ? error : brokenOff();
  }
  return Buffer.concat(chunks);
}

/** What a body of JSON says (RFC 8259: always UTF-8); undefined where it is empty. Refuses what is very deep or of very much. */
export async function readJson(req: IncomingMessage, limitBytes: number, asker: Asker): Promise<unknown> {
  if (!/^[^;]*(;\s*charset="?utf-8"?\s*)?$/i.test(req.headers["content-type"] ?? "")) throw notJson();
  const bytes = await readBytes(req, limitBytes);
  return inBodyTurn(bytes, asker, () => parsed(bytes));
}

/** Work on a body that has come in: at once where it is small, else in turns with all others, who are heard in between. */
export const inBodyTurn = <Result>(body: Buffer, asker: Asker, work: () => Promise<Result>): Promise<Result> =>
  body.length > SMALL_BYTES ? inTurn(takeTurn, asker, () => nextTurn().then(work), callerGone()) : work();

async function parsed(bytes: Buffer): Promise<unknown> {
  if (!isBearable(bytes)) throw tooLarge();
  const text = new TextDecoder().decode(bytes);
  if (text === "") return undefined;
  if (bytes.length > SMALL_BYTES) await nextTurn();
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson();
    throw error;
  }
}
