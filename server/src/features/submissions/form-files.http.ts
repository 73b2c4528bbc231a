import { FORM_FILE_MAX_BYTES } from "@app/shared/form-limits";
import { isShownInline } from "@app/shared/files";
import { idSchema } from "@app/shared/ids";
import { formFileUploadSchema } from "@app/shared/submissions";
import { TRPCError } from "@trpc/server";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { describedUpload } from "../../core/upload.ts";
import { readBlob } from "../files/blobs.service.ts";
import { tooLargeFile } from "../files/files.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { assertSees, readsAnswers } from "./answer-readers.ts";
import { addFormFile, findFormFile } from "./form-files.service.ts";
import { findSubmission } from "./submissions.service.ts";

/** POST /form-files?upload=JSON takes the body as one file, of whoever has the address of the form. */
export const formFileUpload: RawRoute = {
  access: "public",
  async answer({ req, res }) {
    // No page of another site can send this type without being asked first.
    if (!req.is("application/octet-stream"))
      throw new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message: "Send application/octet-stream." });
    const upload = describedUpload(req, formFileUploadSchema);
    assertFits(req, FORM_FILE_MAX_BYTES, () => tooLargeFile(FORM_FILE_MAX_BYTES));
    res.status(201).json(await addFormFile({ ip: req.ip ?? "" }, req, upload));
  },
};

/** GET /form-files/:id gives a file that came with a form, to whoever may read that answer. */
export const formFileDownload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    const file = id.success ? await findFormFile(scope.ownerId, id.data) : null;
    if (!file) throw notFound("File");
    const submission = await findSubmission(scope, file.submissionId);
    const theCase = await assertSees(scope, submission);
    const { content } = await getVersion(scope.ownerId, submission.formId, submission.formNumber);
    const field = content.pages.flatMap(({ fields }) => fields).find((one) => one.id === file.fieldId);
    if (field?.type !== "file" || !readsAnswers(scope, theCase, submission)(content, field)) throw notFound("File");
    log.info({ event: "file of a form read", fileId: file._id }, "audit");
    await sendDownload(asked, {
      name: file.name,
      type: file.mime,
      isInline: req.query["inline"] === "true" && isShownInline(file.mime),
      content: await readBlob(scope.ownerId, file.blobId, { start: 0, end: file.sizeBytes }),
    });
  },
};
