import { FILE_MAX_BYTES, isShownInline, uploadSchema } from "@app/shared/files";
import { idSchema, ofNewThing } from "@app/shared/ids";
import { outOfTurn } from "../../core/call-turns.ts";
import { callerGone } from "../../core/caller.ts";
import { isNotFound, notFound } from "../../core/errors.ts";
import { fairTurns, inTurn, ofPerson } from "../../core/fair-turns.ts";
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

/** Whoever takes nothing of what they asked for keeps their own downloads waiting, and few pieces in memory. */
const takeDownload = fairTurns({ atOnce: 120, ofOne: 8 });
const ASKED_EVERY = 8;

/** Hands on what comes; a long one breaks off where it may not be read any more. */
async function* whileReadable(content: AsyncIterable<Buffer>, assertReadable: () => Promise<void>) {
  let count = 0;
  for await (const piece of content) {
    count += 1;
    if (count % ASKED_EVERY === 0) await assertReadable();
    yield piece;
  }
}

/** GET /files/:id gives it, whole or a range (RFC 9110 section 14). A file that somebody may not read looks missing. */
export const fileDownload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("File");
    const file = await readableFile(scope, id.data);
    const send = () =>
      sendInParts(asked, {
        name: file.name,
        type: file.mime,
        isInline: req.query["inline"] === "true" && isShownInline(file.mime),
        sizeBytes: file.sizeBytes,
        etag: file.blobId.split(":")[1] ?? "",
        async open(range) {
          log.info({ event: "file read", fileId: file._id }, "audit");
          const content = await readBlob(scope.ownerId, file.blobId, range).catch((error: unknown) => {
            if (isNotFound(error)) log.error({ fileId: file._id, blobId: file.blobId }, "a file has no content");
            throw error;
          });
          return whileReadable(content, async () => void (await readableFile(await asked.present(), id.data)));
        },
      });
    await outOfTurn(() => inTurn(takeDownload, ofPerson(scope), send, callerGone()));
  },
};
