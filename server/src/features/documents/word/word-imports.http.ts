import { WORD_MAX_BYTES, wordUploadSchema } from "@app/shared/word-imports";
import type { RawRoute } from "../../../core/raw-route.ts";
import { assertFits } from "../../../core/read-body.ts";
import { describedUpload } from "../../../core/upload.ts";
import { tooLargeFile } from "../../files/files.service.ts";
import { importWord } from "./word-imports.ts";

/** POST /word-imports?upload=JSON takes the body as a Word document, and answers with what it says as a text. */
export const wordUpload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, log }) {
    const upload = describedUpload(req, wordUploadSchema);
    assertFits(req, WORD_MAX_BYTES, () => tooLargeFile(WORD_MAX_BYTES));
    const read = await importWord(scope, req, upload);
    log.info({ event: "Word document read", textId: upload.textId }, "audit");
    res.status(201).json(read);
  },
};
