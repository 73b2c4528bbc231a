// A file as it is handed to a browser: saved under its name, kept by nobody on the way, and no page that could act.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { create } from "content-disposition";
import { visibleName } from "@app/shared/text";
import { outOfTurn } from "./call-turns.ts";
import type { Asked } from "./raw-route.ts";

interface Named {
  name: string;
  type: string;
  /** May be shown by the browser; otherwise it is only ever saved. */
  isInline?: boolean;
}

interface Whole extends Named {
  content: Buffer | AsyncIterable<string | Buffer>;
}

/** From one byte to before another. */
interface Range {
  start: number;
  end: number;
}

interface InParts extends Named {
  sizeBytes: number;
  /** The same for the same content, and for no other; without its quotes. */
  etag: string;
  open: (range: Range) => Promise<AsyncIterable<Buffer>>;
}

/** Sends a file. Whoever goes away in the middle needs no more of it; where `content` fails, the answer breaks off. */
export async function sendDownload({ res }: Asked, { name, type, isInline, content }: Whole): Promise<void> {
  res.set({
    "Content-Type": type,
    "Content-Disposition": create(visibleName(name) || "file", { type: isInline ? "inline" : "attachment" }),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
  });
  if (Buffer.isBuffer(content)) res.set("Content-Length", String(content.length));
  await outOfTurn(() => pipeline(Readable.from(content), res)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  });
}

/** Sends a file, whole or the one part of it that is asked for (RFC 9110 section 14). */
export async function sendInParts(asked: Asked, { sizeBytes, etag, open, ...named }: InParts): Promise<void> {
  const { req, res } = asked;
  const head = { "Accept-Ranges": "bytes", ETag: `"${etag}"` };
  const isStale = ![undefined, head.ETag].includes(req.get("if-range"));
  const ranges = isStale ? undefined : req.range(sizeBytes);
  if (ranges === -1)
    return void res
      .status(416)
      .set({ ...head, "Content-Range": `bytes */${sizeBytes}` })
      .end();
  const [first, ...more] = Array.isArray(ranges) && ranges.type === "bytes" ? ranges : [];
  const part = more.length === 0 ? first : undefined;
  const range = part ? { start: part.start, end: part.end + 1 } : { start: 0, end: sizeBytes };
  // Before anything is said of it: where it cannot be opened, that is the answer.
  const content = await open(range);
  if (part) res.status(206).set("Content-Range", `bytes ${part.start}-${part.end}/${sizeBytes}`);
  res.set({ ...head, "Content-Length": String(range.end - range.start) });
  await sendDownload(asked, { ...named, content });
}
