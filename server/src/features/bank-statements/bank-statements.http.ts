import { STATEMENT_MAX_BYTES } from "@app/shared/bank-columns";
import { uploadedStatementSchema, uploadStatementSchema } from "@app/shared/bank-statements";
import { ofNewThing } from "@app/shared/ids";
import type { RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { describedUpload } from "../../core/upload.ts";
import { tooLargeStatement, uploadStatement } from "./statement-upload.service.ts";

/** POST /bank-statements?upload=JSON takes the body as the file of a bank. */
export const bankStatementUpload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "payments.read", "payments.manage"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, present, log }) {
    const upload = describedUpload(req, uploadStatementSchema.safeExtend(ofNewThing));
    assertFits(req, STATEMENT_MAX_BYTES, tooLargeStatement);
    const answer = await uploadStatement(scope, req, upload, present);
    if (answer.outcome === "taken_in")
      log.info({ event: "bank statement taken in", statementId: answer.statement.id }, "audit");
    res.status(answer.outcome === "taken_in" ? 201 : 200).json(uploadedStatementSchema.parse(answer));
  },
};
