import { LOGO_MAX_BYTES, logoUploadSchema } from "@app/shared/letterheads";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { describedUpload } from "../../core/upload.ts";
import { readBlob } from "../files/blobs.service.ts";
import { tooLargeFile } from "../files/files.service.ts";
import { findLogo, setLogo } from "./letterheads.service.ts";

/** POST /practice-logo?upload=JSON takes the body as the logo of the practice. */
export const logoUpload: RawRoute = {
  access: "owner",
  permissions: [],
  takes: "application/octet-stream",
  async answer({ req, res, scope, log }) {
    const upload = describedUpload(req, logoUploadSchema);
    assertFits(req, LOGO_MAX_BYTES, () => tooLargeFile(LOGO_MAX_BYTES));
    const letterhead = await setLogo(scope, req, upload);
    log.info({ event: "logo of the practice stored" }, "audit");
    res.status(201).json(letterhead);
  },
};

/** GET /practice-logo/:id shows the logo of one's own practice. */
export const logo: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer(asked) {
    const { req, scope } = asked;
    const found = await findLogo(scope);
    if (!found || found.logoId !== req.params["id"]) throw notFound("Logo");
    await sendDownload(asked, {
      name: "logo",
      type: found.mime,
      isInline: true,
      content: await readBlob(scope.ownerId, found.blobId, { start: 0, end: found.sizeBytes }),
    });
  },
};
