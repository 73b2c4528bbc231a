// Where what somebody added to a form is kept: in the confidence of whoever filled it in, as a file of theirs would be.
import type { FormContent } from "@app/shared/form-content";
import { readersAmong } from "@app/shared/form-readers";
import { SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { contentPlace, defineContentUse } from "../files/content-uses.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { visibilityOf } from "./answer-readers.ts";
import { type FormFileDoc, FormFileModel } from "./form-files.model.ts";
import { type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

defineContentUse({
  isUsed: async (ownerId, blobId) => (await FormFileModel.exists({ ownerId, blobId })) !== null,
  async placesOf(ownerId, blobIds) {
    const files = await FormFileModel.find({
      ownerId,
      blobId: mongoose.trusted({ $in: [...new Set(blobIds)] }),
    }).lean();
    const ids = files.map(({ submissionId }) => submissionId);
    const submissions = await SubmissionModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }).lean();
    const places = [];
    for (const submission of submissions) {
      if (submission.clientId === null) continue;
      const { content } = await getVersion(ownerId, submission.formId, submission.formNumber);
      for (const file of files)
        if (file.submissionId === submission._id)
          places.push(asFile(file, submission, readersIn(content, submission, file)));
    }
    return places;
  },
});

function readersIn(content: FormContent, submission: SubmissionDoc, { fieldId }: FormFileDoc): Visibility {
  const field = content.pages.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId);
  const among = field && field.type !== "statement" ? readersAmong(content, field) : [];
  const readers = among.includes("mediator") ? "mediator" : (among[0] ?? "mediator");
  // Of no case it is theirs to have, as whatever they brought themselves.
  return submission.partyId === null && readers !== "mediator" ? SHARED : visibilityOf(submission, readers);
}

const asFile = (file: FormFileDoc, { clientId, caseId }: SubmissionDoc, visibility: Visibility) =>
  contentPlace({ ...file, clientId, caseId, visibility });
