import { formPictureUploadSchema, FORM_PICTURE_MAX_BYTES } from "@app/shared/form-pictures";
import { idSchema } from "@app/shared/ids";
import { MINUTE_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { sendDownload } from "../../core/download.ts";
import { notFound, tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { describedUpload } from "../../core/upload.ts";
import { readBlob } from "../files/blobs.service.ts";
import { tooLargeFile } from "../files/files.service.ts";
import { addFormPicture, findFormPicture } from "./form-pictures.service.ts";

/** Of one network: a page of pictures for everybody of a large house at once. */
const LOOKED_AT: Bucket = { size: 600, everyMs: MINUTE_MS / 300 };

/** POST /form-pictures?upload=JSON takes the body as one picture of an answer. */
export const formPictureUpload: RawRoute = {
  access: "subscribed",
  permissions: ["forms.manage"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, log }) {
    const upload = describedUpload(req, formPictureUploadSchema);
    assertFits(req, FORM_PICTURE_MAX_BYTES, () => tooLargeFile(FORM_PICTURE_MAX_BYTES));
    const picture = await addFormPicture(scope, req, upload);
    log.info({ event: "picture of a form stored", pictureId: picture.id }, "audit");
    res.status(201).json(picture);
  },
};

/** GET /form-pictures/:id shows it to whoever has its id, and says nothing of the form or the practice. */
export const formPicture: RawRoute = {
  access: "public",
  async answer(asked) {
    const { req } = asked;
    const { isTaken, waitMs } = await takeToken(`form-picture:${keyedHash(networkOf(req.ip ?? ""))}`, LOOKED_AT);
    if (!isTaken) throw tooManyRequests(`Try again in ${describePause(waitMs)}.`);
    const id = idSchema.safeParse(req.params["id"]);
    const picture = id.success ? await findFormPicture(id.data) : null;
    if (!picture) throw notFound("Picture");
    await sendDownload(asked, {
      name: "picture",
      type: picture.mime,
      isInline: true,
      content: await readBlob(picture.ownerId, picture.blobId, { start: 0, end: picture.sizeBytes }),
    });
  },
};
