// A document that is removed is read by nobody outside any more: its file goes with it, and what of it was released.
import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { removeFiles, restoreFiles } from "../files/file-changes.service.ts";
import { releasesOf } from "../files/file-content.service.ts";
import type { DocumentDoc } from "./documents.model.ts";

type Filed = Pick<DocumentDoc, "fileId">;

/** Throws where something rests on one of them, such as a signature that is waited for. */
export async function takeFilesAway(scope: Scope, { fileId }: Filed): Promise<void> {
  if (fileId === null) return;
  for (const id of [fileId, ...(await releasesOf(scope.ownerId, fileId))]) await unlessGone(removeFiles(scope, [id]));
}

/** What was released of it with a consent is released anew. */
export async function bringFileBack(scope: Scope, { fileId }: Filed): Promise<void> {
  if (fileId !== null) await unlessGone(restoreFiles(scope, [fileId]));
}

/** Deleted for good, or kept by mediators for themselves meanwhile: then no party reads it either way. */
async function unlessGone(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
