// What was sent out to be signed is kept as it was, also where its file is deleted meanwhile.
import { NO_MARK } from "@app/shared/files";
import mongoose from "mongoose";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { defineContentUse } from "../files/content-uses.service.ts";
import { type SignatureDoc, SignatureModel } from "./signatures.model.ts";

definePartyTrace("a document was sent out to be signed", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await SignatureModel.exists({ ownerId, caseId, "signers.partyId": partyId })),
);

defineContentUse({
  isUsed: async (ownerId, blobId) => (await SignatureModel.exists({ ownerId, "content.blobId": blobId })) !== null,
  async placesOf(ownerId, blobIds) {
    const among = mongoose.trusted({ $in: [...new Set(blobIds)] });
    return (await SignatureModel.find({ ownerId, "content.blobId": among }).lean()).map(asFile);
  },
});

const asFile = ({ _id, ownerId, caseId, fileName, content, createdAt }: SignatureDoc) => ({
  _id,
  ownerId,
  clientId: null,
  caseId,
  name: fileName,
  searchTerms: [],
  mime: "application/pdf",
  sizeBytes: content.sizeBytes,
  blobId: content.blobId,
  tags: [],
  visibility: content.visibility,
  wasShared: content.visibility.scope === "shared",
  cameFromId: null,
  mark: NO_MARK,
  sentAt: createdAt,
  releasedFromId: null,
  consent: null,
  deletedAt: null,
  createdAt,
  changedAt: createdAt,
  createdBy: "",
  createdByName: "",
  version: 0,
});
