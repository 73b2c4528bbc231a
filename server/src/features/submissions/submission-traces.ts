// What forms leave of a party of a case, and what goes with an enquiry that is deleted or is spam.
import mongoose from "mongoose";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { defineLeadErasure } from "../leads/lead-erasures.service.ts";
import { defineLeadSpamMark } from "../leads/lead-spam-marks.service.ts";
import { dropFilesOf } from "./form-files.service.ts";
import { FormLinkModel } from "./form-links.model.ts";
import { SubmissionModel } from "./submissions.model.ts";

definePartyTrace("answers to a form are there", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await SubmissionModel.exists({ ownerId, caseId, partyId, status: mongoose.trusted({ $ne: "in_progress" }) })),
);

// What they have begun by it would still be sent into the case.
definePartyTrace("a link to a form of theirs is open (take it back first)", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await FormLinkModel.exists({ ownerId, caseId, partyId, revokedAt: null })),
);

defineLeadErasure(async (ownerId, leadId) => {
  // What became a client's with the lead stays theirs.
  const docs = await SubmissionModel.find({ ownerId, leadId, clientId: null }).lean();
  for (const doc of docs) {
    await dropFilesOf(doc);
    await SubmissionModel.deleteOne({ ownerId, _id: doc._id });
  }
});

defineLeadSpamMark(async ({ ownerId }, { leadId, isSpam }) => {
  await SubmissionModel.updateMany(
    { ownerId, leadId, isSuspect: !isSpam },
    { $set: { isSuspect: isSpam }, $inc: { version: 1 } },
  );
});
