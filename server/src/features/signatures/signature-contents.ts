// What was sent out to be signed is kept as it was, also where its file is deleted meanwhile.
import mongoose from "mongoose";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { contentPlace, defineContentUse } from "../files/content-uses.service.ts";
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

const asFile = ({ _id, ownerId, caseId, fileName, content, createdAt }: SignatureDoc) => {
  const { sizeBytes, blobId, visibility } = content;
  const file = { _id, ownerId, caseId, clientId: null, name: fileName, mime: "application/pdf" };
  const place = contentPlace({ ...file, sizeBytes, blobId, visibility, createdAt });
  return { ...place, wasShared: visibility.scope === "shared", sentAt: createdAt };
};
