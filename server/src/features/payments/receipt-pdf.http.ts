import { idSchema, tokenSchema } from "@app/shared/ids";
import { askerOf } from "../../core/call-turns.ts";
import { sendDownload } from "../../core/download.ts";
import { notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { findByToken } from "./checkout.ts";
import { countLook } from "./outcomes.ts";
import { practiceNameFor } from "./payer-guard.ts";
import { findVisiblePayment } from "./payments.service.ts";
import { drawReceipt, receiptDocument, receiptOf } from "./receipts.ts";

const type = "application/pdf";

/** GET /export/receipts/:id.pdf, for the practice. */
export const receiptOfPayment: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "payments.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Receipt");
    const receipt = openFor(await receiptOf(await findVisiblePayment(scope, id.data)), {});
    const bytes = await drawReceipt(ofPerson(scope), await receiptDocument(scope.ownerId, receipt));
    log.info({ event: "receipt downloaded", number: receipt.number }, "audit");
    await sendDownload(asked, { name: `receipt-${receipt.number}.pdf`, type, content: Buffer.from(bytes) });
  },
};

/** GET /payment-receipts?r=TOKEN, for whoever paid by that link, unless its paper would say too much on their machine. */
export const payerReceipt: RawRoute = {
  access: "public",
  async answer(asked) {
    const { req, log } = asked;
    const ip = req.ip ?? "";
    await countLook(ip);
    const token = tokenSchema.safeParse(req.query["r"]);
    const doc = token.success ? await findByToken(token.data) : null;
    if (!doc || (await practiceNameFor(doc)) === "") throw notFound("Receipt");
    const { payer, ownerId } = doc;
    const caseId = doc.caseId ?? "";
    const receipt = openFor(await receiptOf(doc), payer.kind === "party" ? { caseId, partyId: payer.partyId } : {});
    const bytes = await drawReceipt(askerOf({ actor: null, ip }), await receiptDocument(ownerId, receipt));
    log.info({ event: "receipt of a payment printed", paymentId: doc._id }, "audit");
    // The name says nothing of what is in it, as it stays in a list of downloads.
    await sendDownload(asked, { name: "receipt.pdf", type, content: Buffer.from(bytes) });
  },
};
