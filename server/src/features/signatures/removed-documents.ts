// A document that is removed takes its file along. Its signed copy is of those who signed it: somebody decides what becomes of it.
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { defineDocumentFollower } from "../documents/document-followers.service.ts";
import { fileToSend } from "../files/file-content.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { SignatureModel } from "./signatures.model.ts";

defineDocumentFollower(async (scope, before, after) => {
  const { ownerId, userId: assigneeId } = scope;
  const { _id, caseId, fileId } = after;
  if (fileId === null || (before.deletedAt === null) === (after.deletedAt === null)) return;
  const about = `signed copies of removed document ${_id}`;
  if (after.deletedAt === null) return callOff({ ownerId, caseId, abouts: [about] });
  const sealed = mongoose.trusted({ $ne: null });
  const copies = await SignatureModel.find({ ownerId, fileId, sealedFileId: sealed }, { sealedFileId: 1 }).lean();
  for (const { sealedFileId } of copies) {
    const copy = await fileToSend(ownerId, sealedFileId ?? "");
    if (!copy) continue;
    const title = `“${copy.name}” is still with those who signed it, and its document was removed. Leave it with them, or change who reads it under Files`;
    const task = { title: cutText(title, TASK_TITLE_MAX_LENGTH), dueOn: await practiceToday(ownerId) };
    await createTasks(scope, [{ ...task, assigneeId, caseId, clientId: null, about }]);
  }
});
