// Files that are added to a form while it is filled in.
import type { Readable } from "node:stream";
import "./form-file-places.ts";
import { type AnsweredFile, type Answers, answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { FORM_FILE_MAX_BYTES, SUBMISSION_FILES_MAX_BYTES } from "@app/shared/form-limits";
import { FORM_FILE_ENDINGS } from "@app/shared/submission-limits";
import type { formFileUploadSchema, removeFormFileSchema } from "@app/shared/submissions";
import type { z } from "zod";
import { ofNetwork } from "../../core/anonymous.ts";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/visitor-refusals.ts";
import { letContentGo, storeContent } from "../files/apart-contents.service.ts";
import { formFileId, type FormFileDoc, FormFileModel } from "./form-files.model.ts";
import { deadLink, placeToFill } from "./open-place.ts";
import { countAsked, countUploaded } from "./public-limits.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Uploading = z.output<typeof formFileUploadSchema>;
type FileField = Extract<FormContent["pages"][number]["fields"][number], { type: "file" }>;

const answeredAs = ({ _id, name, sizeBytes }: FormFileDoc): AnsweredFile => ({ id: _id, name, bytes: sizeBytes });

/** The answers with the files that are there, whatever was sent instead of them. */
export async function answersWithFiles(
  { ownerId, _id }: Pick<SubmissionDoc, "ownerId" | "_id">,
  { pages }: FormContent,
  answers: Answers,
): Promise<Answers> {
  const ofFiles = pages.flatMap(({ fields }) => fields.filter(({ type }) => type === "file"));
  if (ofFiles.length === 0) return answers;
  const docs = await FormFileModel.find({ ownerId, submissionId: _id }).sort({ createdAt: 1, _id: 1 }).lean();
  const files = ofFiles.map(({ id }) => [id, docs.filter(({ fieldId }) => fieldId === id).map(answeredAs)] as const);
  return { ...answers, ...Object.fromEntries(files) };
}

/** Keeps one file for a question of what is being filled in; the same once more is the same file. */
export async function addFormFile({ ip }: { ip: string }, source: Readable, upload: Uploading): Promise<AnsweredFile> {
  const submission = await openDraft({ ip }, upload);
  await countUploaded(submission._id);
  const { ownerId, _id: submissionId } = submission;
  const _id = formFileId(submissionId, upload.id);
  const known = await FormFileModel.findOne({ ownerId, _id }).lean();
  if (known) return answeredAs(known);
  const field = await fieldFor(submission, upload);
  await assertRoom(submission, field, 0);
  return storeContent(source, {
    ownerId,
    asker: ofNetwork(ip),
    name: upload.name,
    limitBytes: FORM_FILE_MAX_BYTES,
    async make(content) {
      // Several at once are counted one after the other.
      const { matchedCount } = await SubmissionModel.updateOne(
        { ownerId, _id: submissionId, status: "in_progress" },
        { $set: { savedAt: now() } },
      );
      if (matchedCount === 0) throw sentAlready();
      await assertRoom(submission, field, content.sizeBytes);
      const [made] = await FormFileModel.create([
        { _id, ownerId, submissionId, fieldId: field.id, name: upload.name, ...content, createdAt: now() },
      ]);
      if (!made) throw new Error("the file that was just stored is missing");
      return answeredAs(made.toObject());
    },
  });
}

/** Takes a file out again; one that is gone already stays so. */
export async function removeFormFile(
  { ip }: { ip: string },
  { id, ...at }: z.output<typeof removeFormFileSchema>,
): Promise<void> {
  const { ownerId, _id: submissionId } = await openDraft({ ip }, at);
  await inTransaction(async () => {
    const doc = await FormFileModel.findOneAndDelete({ ownerId, _id: id, submissionId }).lean();
    if (doc) await letContentGo(ownerId, doc);
  });
}

const sentAlready = () => wrongState("This was sent in already, so nothing more is saved.");

async function openDraft({ ip }: { ip: string }, at: Parameters<typeof placeToFill>[0]): Promise<SubmissionDoc> {
  await countAsked(ip);
  const { submission } = await placeToFill(at);
  if (!submission) throw deadLink();
  if (submission.status !== "in_progress") throw sentAlready();
  return submission;
}

async function fieldFor(
  { ownerId, formId, formNumber }: SubmissionDoc,
  { fieldId, name }: Uploading,
): Promise<FileField> {
  const { content } = await getVersion(ownerId, formId, formNumber);
  const field = content.pages.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId);
  if (field?.type !== "file") throw badField("fieldId", "This question takes no files.");
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!FORM_FILE_ENDINGS.some((known) => known === ending))
    throw badField("name", "Add a PDF, a photograph, a Word or Excel document, or a plain text.");
  return field;
}

async function assertRoom({ ownerId, _id }: SubmissionDoc, { id, atMost }: FileField, more: number): Promise<void> {
  const docs = await FormFileModel.find({ ownerId, submissionId: _id }, { fieldId: 1, sizeBytes: 1 }).lean();
  if (docs.filter(({ fieldId }) => fieldId === id).length >= atMost)
    throw badField("name", atMost === 1 ? "Add one file. Take the other out first." : `Add at most ${atMost} files.`);
  if (docs.reduce((sum, { sizeBytes }) => sum + sizeBytes, more) > SUBMISSION_FILES_MAX_BYTES)
    throw badField("name", "All files together are over 25 MB. Make one of them smaller.");
}

/** In the transaction that takes a form in: files of questions that are not asked any more go. */
export async function dropUnanswered({ ownerId, _id }: SubmissionDoc, answers: Answers): Promise<void> {
  const docs = await FormFileModel.find({ ownerId, submissionId: _id }).lean();
  for (const doc of docs) if (answerTo(answers, doc.fieldId) === undefined) await drop(doc);
}

export async function dropFilesOf({ ownerId, _id }: Pick<SubmissionDoc, "ownerId" | "_id">): Promise<void> {
  const docs = await FormFileModel.find({ ownerId, submissionId: _id }).lean();
  for (const doc of docs) await drop(doc);
}

async function drop(doc: FormFileDoc): Promise<void> {
  const { deletedCount } = await FormFileModel.deleteOne({ ownerId: doc.ownerId, _id: doc._id });
  if (deletedCount > 0) await letContentGo(doc.ownerId, doc);
}

/** Null where it was taken out. */
export const findFormFile = (ownerId: string, id: string): Promise<FormFileDoc | null> =>
  FormFileModel.findOne({ ownerId, _id: id }).lean();
