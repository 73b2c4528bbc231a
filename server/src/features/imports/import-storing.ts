// A file on its way into the database, piece by piece.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { IMPORT_MAX_BYTES } from "@app/shared/imports";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { Scope } from "../../core/trpc.ts";
import { spool, TooLargeError } from "../files/blobs.service.ts";
import { ImportChunkModel } from "./imports.model.ts";
import { chunkSchema } from "./import-chunk.ts";
import type { work } from "./table.foreign.ts";

const LIMIT_MS = 10_000;
/** The worker writes shorter ones; whatever is longer is not read here, because all of it would be parsed at once. */
const LINE_MAX_BYTES = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;
const TOO_MUCH = "This file is too large to read. Divide it into several files; save a workbook as CSV.";
const UNREADABLE = "This file cannot be read. Save it again as CSV or .xlsx and choose it again.";

const bytesSchema = z.instanceof(Buffer);

const tableIn = defineForeign<typeof work>({
  file: new URL("./table.foreign.ts", import.meta.url),
  output: z.object({
    headings: z.array(z.string()),
    sample: z.array(z.array(z.string())),
    firstRow: z.number(),
    total: z.number(),
    readAs: z.string(),
  }),
  limitMs: LIMIT_MS,
  lane: "long",
  refuse: (why) => badField("file", why === "too-much" ? TOO_MUCH : UNREADABLE),
});

export interface StoredSource {
  /** What tells this file from another one. */
  hash: string;
  sizeBytes: number;
  headings: string[];
  sample: string[][];
  firstRow: number;
  total: number;
  readAs: string;
}

/** Stores the rows of a file that arrives. A file that breaks off or cannot be read throws. */
export async function storeSource(scope: Scope, importId: string, arriving: Readable): Promise<StoredSource> {
  const file = await spooled(arriving);
  try {
    const [hash, { size: sizeBytes }] = [await hashOf(file), await stat(file)];
    return { hash, sizeBytes, ...(await storeRows(scope, importId, file)) };
  } finally {
    await rm(file, { force: true });
  }
}

async function spooled(arriving: Readable): Promise<string> {
  try {
    return (await spool(arriving, IMPORT_MAX_BYTES)).file;
  } catch (error) {
    throw error instanceof TooLargeError ? tooLargeImport() : error;
  }
}

export const tooLargeImport = () =>
  new TRPCError({
    code: "PAYLOAD_TOO_LARGE",
    message: "This file is larger than 20 MB. Divide it into several files, and leave out columns that are not needed.",
  });

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("base64url");
}

/** What the worker read of the file lies beside it, ready to be stored: a chunk in each line. */
async function storeRows(
  scope: Scope,
  importId: string,
  file: string,
): Promise<Omit<StoredSource, "hash" | "sizeBytes">> {
  const { ownerId } = scope;
  const chunksFile = `${file}.chunks`;
  try {
    const read = await tableIn(ofPerson(scope), { file, chunksFile });
    for await (const line of linesOf(chunksFile)) {
      const chunk = chunkSchema.parse(JSON.parse(line));
      await ImportChunkModel.create([{ ...chunk, ownerId, importId, keptFrom: now() }]);
    }
    return read;
  } finally {
    await rm(chunksFile, { force: true });
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(file)) {
    let rest = bytesSchema.parse(piece);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString();
      rest = rest.subarray(end + 1);
      parts = [];
      length = 0;
    }
    parts.push(rest);
    length += rest.length;
    if (length > LINE_MAX_BYTES) throw badField("file", TOO_MUCH);
  }
}
