// Who keeps a content: files, and whatever else has contents of its own. What nobody keeps goes.
import { QUOTA_BYTES } from "@app/shared/files";
import { badField } from "../../core/errors.ts";
import { type FileDoc, FileModel, FileUsageModel } from "./files.model.ts";

type IsUsed = (ownerId: string, blobId: string) => Promise<boolean>;
const uses: IsUsed[] = [async (ownerId, blobId) => (await FileModel.exists({ ownerId, blobId })) !== null];

/** For what keeps contents apart from the files of the practice: called once, beside its model. */
export const defineContentUse = (isUsed: IsUsed): void => void uses.push(isUsed);

export async function isContentUsed(ownerId: string, blobId: string): Promise<boolean> {
  for (const isUsed of uses) if (await isUsed(ownerId, blobId)) return true;
  return false;
}

/** Counts a content the first time that something of the practice has it. */
export async function takeSpace(
  ownerId: string,
  { blobId, sizeBytes }: Pick<FileDoc, "blobId" | "sizeBytes">,
): Promise<void> {
  if (await isContentUsed(ownerId, blobId)) return;
  const usage = await FileUsageModel.findOneAndUpdate(
    { _id: ownerId },
    { $inc: { bytes: sizeBytes } },
    { upsert: true, returnDocument: "after", lean: true },
  );
  if ((usage?.bytes ?? 0) > QUOTA_BYTES)
    throw badField("name", "The practice's storage is full. Delete files that are no longer needed.");
}

export const giveBackSpace = (ownerId: string, sizeBytes: number) =>
  FileUsageModel.updateOne({ _id: ownerId }, { $inc: { bytes: -sizeBytes } });
