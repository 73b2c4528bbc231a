import { DOCUMENT_PICTURE_MAX_BYTES, documentPictureUploadSchema } from "@app/shared/document-pictures";
import { idSchema } from "@app/shared/ids";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { describedUpload } from "../../core/upload.ts";
import { readBlob } from "../files/blobs.service.ts";
import { tooLargeFile } from "../files/files.service.ts";
import { addDocumentPicture, findDocumentPicture } from "./document-pictures.ts";
import { assertOpenText, assertReadableText } from "./text-access.ts";

/** POST /document-pictures?upload=JSON takes the body as one picture of a text that this person may change. */
export const documentPictureUpload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, log }) {
    const upload = describedUpload(req, documentPictureUploadSchema);
    assertFits(req, DOCUMENT_PICTURE_MAX_BYTES, () => tooLargeFile(DOCUMENT_PICTURE_MAX_BYTES));
    await assertOpenText(scope, upload.textId);
    const picture = await addDocumentPicture(scope, req, upload);
    log.info({ event: "picture of a document stored", textId: upload.textId, pictureId: picture.id }, "audit");
    res.status(201).json(picture);
  },
};

/** GET /document-pictures/:textId/:id shows it to whoever may read its text; to everybody else it is not there. */
export const documentPicture: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer(asked) {
    const { req, scope } = asked;
    const [textId, pictureId] = [req.params["textId"], req.params["id"]].map((id) => idSchema.safeParse(id));
    if (!textId?.success || !pictureId?.success) throw notFound("Picture");
    await assertReadableText(scope, textId.data);
    const picture = await findDocumentPicture(scope, { textId: textId.data, pictureId: pictureId.data });
    if (!picture) throw notFound("Picture");
    await sendDownload(asked, {
      name: "picture",
      type: picture.mime,
      isInline: true,
      content: await readBlob(picture.ownerId, picture.blobId, { start: 0, end: picture.sizeBytes }),
    });
  },
};
