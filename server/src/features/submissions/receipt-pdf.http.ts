import { receiptSchema } from "@app/shared/form-mails";
import { askerOf } from "../../core/call-turns.ts";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import { definePdf } from "../../core/pdf.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { answersDocument } from "./answers-document.ts";
import { countAsked } from "./public-limits.ts";
import { openReceipt, receiptFor } from "./receipts.ts";

const draw = definePdf("These answers are too long for one document. Ask us for a copy.");

/** GET /form-receipts?receipt=TOKEN: what somebody just sent in, for whoever sent it. */
export const receiptPdf: RawRoute = {
  access: "public",
  async answer(asked) {
    const { req, log } = asked;
    const ip = req.ip ?? "";
    await countAsked(ip);
    const token = receiptSchema.safeParse(req.query["receipt"]);
    if (!token.success) throw notFound("Receipt");
    const { doc, form } = await openReceipt(token.data);
    const { ownerId, caseId, partyId, clientId } = doc;
    const receipt = openFor(await receiptFor(doc, form), caseId && partyId ? { caseId, partyId } : { clientId });
    const document = await answersDocument(ownerId, { ...receipt, name: "" });
    const bytes = await draw(askerOf({ actor: null, ip }), document);
    log.info({ event: "receipt of a form printed", submissionId: doc._id }, "audit");
    // The name says nothing of what is in it, as it stays in a list of downloads.
    await sendDownload(asked, { name: "answers.pdf", type: "application/pdf", content: Buffer.from(bytes) });
  },
};
