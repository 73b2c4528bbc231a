// Who keeps a content: files, and whatever else has contents of its own. What nobody keeps goes.
import mongoose from "mongoose";
import { NO_MARK, QUOTA_BYTES } from "@app/shared/files";
import { badField } from "../../core/errors.ts";
import { type FileDoc, FileModel, FileUsageModel } from "./files.model.ts";

/** What keeps contents. */
interface ContentUse {
  isUsed: (ownerId: string, blobId: string) => Promise<boolean>;
  /** In whose confidence they are there, said as of a file; none of what is nobody's. */
  placesOf: (ownerId: string, blobIds: readonly string[]) => Promise<FileDoc[]>;
}

type Place = Pick<
  FileDoc,
  "_id" | "ownerId" | "clientId" | "caseId" | "name" | "mime" | "sizeBytes" | "blobId" | "visibility" | "createdAt"
>;

const uses: ContentUse[] = [
  {
    isUsed: async (ownerId, blobId) => (await FileModel.exists({ ownerId, blobId })) !== null,
    placesOf: (ownerId, blobIds) =>
      FileModel.find({ ownerId, blobId: mongoose.trusted({ $in: [...new Set(blobIds)] }) }).lean(),
  },
];

/** Where a content is kept apart from the files, said as of a file of nobody's own. */
export const contentPlace = ({
  _id,
  ownerId,
  clientId,
  caseId,
  name,
  mime,
  sizeBytes,
  blobId,
  visibility,
  createdAt,
}: Place): FileDoc => ({
  _id,
  ownerId,
  clientId,
  caseId,
  name,
  searchTerms: [],
  mime,
  sizeBytes,
  blobId,
  tags: [],
  visibility,
  wasShared: false,
  cameFromId: null,
  mark: NO_MARK,
  sentAt: null,
  releasedFromId: null,
  consent: null,
  deletedAt: null,
  createdAt,
  changedAt: createdAt,
  createdBy: "",
  createdByName: "",
  version: 0,
});

/** For what keeps contents apart from the files of the practice: called once, beside its model. */
export const defineContentUse = (use: ContentUse): void => void uses.push(use);

export async function isContentUsed(ownerId: string, blobId: string): Promise<boolean> {
  for (const { isUsed } of uses) if (await isUsed(ownerId, blobId)) return true;
  return false;
}

/** Every place where these contents are kept: what one of them keeps in, none of the others lets out. */
export async function placesOfContents(ownerId: string, blobIds: readonly string[]): Promise<FileDoc[]> {
  const places = [];
  for (const { placesOf } of uses) places.push(...(await placesOf(ownerId, blobIds)));
  return places;
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
