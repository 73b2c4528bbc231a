import { FILE_MAX_BYTES, isShownInline, uploadSchema } from "@app/shared/files";
import { idSchema, ofNewThing } from "@app/shared/ids";
import { isNotFound, notFound } from "../../core/errors.ts";
import { sendInParts } from "../../core/download.ts";
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
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("File");
    const file = await readableFile(scope, id.data);
    await sendInParts(asked, {
      name: file.name,
      type: file.mime,
      isInline: req.query["inline"] === "true" && isShownInline(file.mime),
      sizeBytes: file.sizeBytes,
      etag: file.blobId.split(":")[1] ?? "",
      open(range) {
        log.info({ event: "file read", fileId: file._id }, "audit");
        return readBlob(scope.ownerId, file.blobId, range).catch((error: unknown) => {
          if (isNotFound(error)) log.error({ fileId: file._id, blobId: file.blobId }, "a file has no content");
          throw error;
        });
      },
    });
  },
};
