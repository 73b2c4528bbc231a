// Asks a ClamAV daemon whether a content carries a virus (clamd(8), the command INSTREAM).
import { connect } from "node:net";
import { settings } from "./settings.ts";

/** How long it may say nothing: while it is given the content, and then by how much it has to look at. */
const SILENT_MS = 10_000;
const LOOKED_AT_PER_MS = 5000;
const REPLY_MAX = 4096;
const PIECE_MAX = 1024 * 1024;

/** `unknown`: there is no scanner, or it could not say. */
export type Verdict = "clean" | "infected" | "unknown";

export const isScanning = (): boolean => settings().CLAMD !== undefined;

/** What the scanner that is set up says of a content. Throws only where the content itself cannot be read. */
export async function scanned(content: AsyncIterable<Buffer>): Promise<Verdict> {
  const { CLAMD } = settings();
  if (CLAMD === undefined) return "unknown";
  const reply = await replyTo(CLAMD, content);
  if (reply.endsWith(" FOUND")) return "infected";
  return reply.endsWith(" OK") ? "clean" : "unknown";
}

/** "stream: OK", "stream: NAME FOUND" or "MESSAGE ERROR"; empty where nothing came back. */
async function replyTo(clamd: string, content: AsyncIterable<Buffer>): Promise<string> {
  const [host = "", port = ""] = clamd.split(/:(?=\d+$)/);
  const socket = clamd.startsWith("/") ? connect({ path: clamd }) : connect({ host, port: Number(port) });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let timer = setTimeout(() => socket.destroy(), SILENT_MS);
  let [reply, bytes] = ["", 0];
  const waitFor = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), ms);
  };
  socket
    .setEncoding("latin1")
    .on("data", (text: string) => {
      reply = (reply + text).slice(0, REPLY_MAX);
    })
    // It is closed after that, and has said nothing.
    .on("error", () => undefined);
  try {
    for await (const piece of framed(content)) {
      // It answers and hangs up in the middle of what is too large for it.
      if (socket.destroyed) break;
      bytes += piece.length;
      waitFor(SILENT_MS);
      if (!socket.write(piece)) await Promise.race([closed, new Promise((resolve) => socket.once("drain", resolve))]);
    }
    waitFor(SILENT_MS + bytes / LOOKED_AT_PER_MS);
    await closed;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  return (reply.split("\0")[0] ?? "").trim();
}

/** Each piece behind its length; a length of nothing ends it. */
async function* framed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from("zINSTREAM\0");
  for await (const piece of content)
    for (let at = 0; at < piece.length; at += PIECE_MAX) {
      const part = piece.subarray(at, at + PIECE_MAX);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      yield length;
      yield part;
    }
  yield Buffer.alloc(4);
}
