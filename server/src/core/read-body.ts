// The body of a request, read only once it is known that it is wanted, and no byte more than is taken.
import type { IncomingMessage } from "node:http";
import { TRPCError } from "@trpc/server";
import { isBearable } from "./json-bounds.ts";

const tooLarge = () => new TRPCError({ code: "PAYLOAD_TOO_LARGE", message: "This is too large to send at once." });
const brokenOff = () => new TRPCError({ code: "BAD_REQUEST", message: "The request broke off. Send it again." });
const notJson = () => new TRPCError({ code: "BAD_REQUEST", message: "The request is not JSON. Send JSON in UTF-8." });

/** Refuses what says by itself that it is larger, before any of it is read. */
export function assertFits(req: IncomingMessage, limitBytes: number, refusal: () => Error = tooLarge): void {
  if (Number(req.headers["content-length"] ?? 0) > limitBytes) throw refusal();
}

export async function readBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  assertFits(req, limitBytes);
  if ((req.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message: "Send it without compression." });
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer still has to leave by this connection, which destroying the request would end.
  const arriving: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TRPCError ? error : brokenOff();
  }
  return Buffer.concat(chunks);
}

/** What a body of JSON says (RFC 8259: always UTF-8); undefined where it is empty. Refuses what is very deep or of very much. */
export async function readJson(req: IncomingMessage, limitBytes: number): Promise<unknown> {
  if (!/^[^;]*(;\s*charset="?utf-8"?\s*)?$/i.test(req.headers["content-type"] ?? "")) throw notJson();
  const bytes = await readBytes(req, limitBytes);
  if (!isBearable(bytes)) throw tooLarge();
  const text = new TextDecoder().decode(bytes);
  if (text === "") return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson();
    throw error;
  }
}
