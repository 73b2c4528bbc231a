import { openSigningSchema } from "@app/shared/signatures";
import { sendInParts } from "../../core/download.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { readBlob } from "../files/blobs.service.ts";
import { fileToSend } from "../files/file-content.service.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { countLook, deadLink, requireSigning, shownTo } from "./open-signings.ts";

/** GET /signing-documents?token=TOKEN&proof=PROOF: what a signer reads, and once all have signed, what they signed. */
export const signedDocument: RawRoute = {
  access: "public",
  async answer(asked) {
    const { req, log } = asked;
    await countLook(req.ip ?? "");
    const given = openSigningSchema.safeParse({ token: req.query["token"], proof: req.query["proof"] });
    if (!given.success) throw deadLink();
    const signing = await requireSigning(given.data);
    const { doc, signer } = signing;
    const { fileId, isSealed } = openFor(await shownTo(signing), { caseId: doc.caseId, partyId: signer.partyId });
    const file = isSealed ? await fileToSend(doc.ownerId, fileId) : doc.content;
    if (!file) throw deadLink();
    log.info({ event: "document read by its signer", signatureId: doc._id }, "audit");
    await sendInParts(asked, {
      // The name says nothing of what is in it, as it stays in a list of downloads.
      name: isSealed ? "signed.pdf" : "document.pdf",
      type: "application/pdf",
      isInline: req.query["inline"] === "true",
      sizeBytes: file.sizeBytes,
      etag: isSealed ? doc.sealedHash : doc.content.hash,
      open: (range) => readBlob(doc.ownerId, file.blobId, range),
    });
  },
};
