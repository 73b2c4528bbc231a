import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { FILE_MAX_BYTES, isShownInline, uploadSchema } from "@app/shared/files";
import { idSchema, ofNewThing } from "@app/shared/ids";
import { notFound } from "../../core/errors.ts";
import { disposition } from "../../core/disposition.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { describedUpload } from "../../core/upload.ts";
import { readBlob } from "./blobs.service.ts";
import { readableFile, storeFile, tooLargeFile } from "./files.service.ts";

/** POST /files?upload=JSON takes the body as one file. */
export const fileUpload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, present, log }) {
    const upload = describedUpload(req, uploadSchema.safeExtend(ofNewThing));
    assertFits(req, FILE_MAX_BYTES, () => tooLargeFile(FILE_MAX_BYTES));
    const file = await storeFile(scope, req, upload, { present });
    log.info({ event: "file stored", fileId: file.id, sizeBytes: file.sizeBytes }, "audit");
    res.status(201).json(file);
  },
};

/** GET /files/:id gives it, whole or a range (RFC 9110 section 14). A file that somebody may not read looks missing. */
export const fileDownload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer({ req, res, scope, log }) {
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("File");
    const file = await readableFile(scope, id.data);
    const range = rangeOf(req, res, file.sizeBytes, file.blobId);
    if (!range) return;
    log.info({ event: "file read", fileId: file._id }, "audit");
    const isInline = req.query["inline"] === "true" && isShownInline(file.mime);
    res.set({
      "Content-Type": file.mime,
      "Content-Length": String(range.end - range.start),
      "Content-Disposition": disposition(isInline ? "inline" : "attachment", file.name),
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Cache-Control": "private, no-store",
    });
    await pipeline(await readBlob(scope.ownerId, file.blobId, range), res).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
    });
  },
};

/** What is asked for; null where it was answered here, because there is no such range. */
function rangeOf(req: Request, res: Response, size: number, blobId: string): { start: number; end: number } | null {
  const etag = `"${blobId.split(":")[1] ?? ""}"`;
  res.set({ "Accept-Ranges": "bytes", ETag: etag });
  const asked = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? "");
  const isStale = req.headers["if-range"] !== undefined && req.headers["if-range"] !== etag;
  if (!asked || isStale || (!asked[1] && !asked[2])) return { start: 0, end: size };
  const start = asked[1] ? Number(asked[1]) : Math.max(0, size - Number(asked[2]));
  const end = asked[1] && asked[2] ? Math.min(size, Number(asked[2]) + 1) : size;
  if (start >= size || start >= end) {
    res.status(416).set("Content-Range", `bytes */${size}`).end();
    return null;
  }
  res.status(206).set("Content-Range", `bytes ${start}-${end - 1}/${size}`);
  return { start, end };
}
