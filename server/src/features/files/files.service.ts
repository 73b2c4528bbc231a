import type { Readable } from "node:stream";
import { rm } from "node:fs/promises";
import { FILE_MAX_BYTES, NO_MARK, type StoredFile, type Upload } from "@app/shared/files";
import type { Case } from "@app/shared/cases";
import { whyNotHeld } from "@app/shared/confidences";
import { foldText } from "@app/shared/text";
import { answersFor } from "@app/shared/team-access";
import { lineVisibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, missingWith, notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { newId } from "../../core/ids.ts";
import { doOnce, type Keep } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertPartiesStay } from "../cases/named-parties.service.ts";
import { assertVisibilityFits, mayRead, staffReader } from "../visibility/visibility.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { asKept, assertNotWidened, type Bringing } from "./file-copies.service.ts";
import { claimBlob, dropUnclaimed, keepBlob, spool, TooLargeError } from "./blobs.service.ts";
import type { BlobDoc } from "./blobs.model.ts";
import { takeSpace } from "./content-uses.service.ts";
import { examine } from "./content-scans.ts";
import { type FileDoc, FileModel, toFile } from "./files.model.ts";

/** Where a file is put; throws where this person may not put it there. */
export async function placeOf(
  scope: Scope,
  { clientId, caseId }: Pick<Upload, "clientId" | "caseId">,
): Promise<Case | null> {
  if (clientId) await assertClientsVisible(scope, [clientId]);
  const theCase = caseId ? await getCase(scope, caseId) : null;
  if (theCase && clientId && !theCase.parties.some((party) => party.clientId === clientId))
    throw badField("clientId", "This client is not a party to the case. Choose another case.");
  return theCase;
}

async function assertMayPut(scope: Scope, upload: Upload): Promise<void> {
  const theCase = await placeOf(scope, upload);
  assertMayWrite(scope, theCase, upload);
  assertMayHold(theCase, upload);
  if (upload.isOurOwn) assertOurOwn(scope, theCase, upload);
}

/** Who says so is who answers for the case; what is in somebody's confidence is theirs. */
function assertOurOwn(scope: Scope, theCase: Case | null, { visibility, mark }: Upload): void {
  if (!answersFor(scope, theCase?.mediators ?? []))
    throw badField(
      "isOurOwn",
      "The owner of the practice or a mediator of this case says that a paper is the practice’s own. Ask one of them, or leave that out.",
    );
  if (visibility.aboutPartyIds.length > 0 || mark?.isFinancial)
    throw badField("isOurOwn", "What is in somebody’s confidence, or their finances, is not the practice’s own.");
}

/** The same of what a mail brings: as what it is kept decides what is on file already, and who wrote the mail. */
async function assertMayBring(scope: Scope, upload: Upload, { by, blobId }: { by: Bringing; blobId: string }) {
  const theCase = await placeOf(scope, upload);
  const kept = await asKept(scope, { theCase, blobId, by, asked: upload.visibility });
  assertMayWrite(scope, theCase, kept);
  assertMayHold(theCase, kept);
  return kept;
}

/** Throws where this would be in somebody's confidence, and the agreement keeps none or it is financial disclosure. */
export function assertMayHold(theCase: Case | null, { mark, visibility }: Pick<Upload, "mark" | "visibility">): void {
  const why = theCase && whyNotHeld(theCase, visibility, mark?.isFinancial);
  if (why) throw badField("visibility", why);
}

export function assertMayWrite(scope: Scope, theCase: Case | null, { visibility }: Pick<Upload, "visibility">): void {
  assertVisibilityFits(theCase, visibility);
  if (!mayRead(staffReader(scope, theCase), visibility))
    throw badField("visibility", "Choose readers that include you: you could not open this file again.");
}

interface StoreOptions {
  /** The mail that it comes by, where it is not uploaded. */
  by?: Bringing | undefined;
  limitBytes?: number;
  /** Who this is now: a large file takes its time, and rights change meanwhile. Throws where they may not go on. */
  present?: () => Promise<Scope>;
}

/** Keeps a file: its content once, its record, and its line in the history; or nothing at all. */
export async function storeFile(
  asked: Scope,
  source: Readable,
  { id = newId(), ...upload }: Upload & { id?: string },
  { by, limitBytes = FILE_MAX_BYTES, present = () => Promise.resolve(asked) }: StoreOptions = {},
): Promise<StoredFile> {
  await assertMayPut(asked, upload);
  const { file } = await spool(source, limitBytes).catch((error: unknown) => {
    throw error instanceof TooLargeError ? tooLargeFile(limitBytes) : error;
  });
  try {
    const { mime, scan } = await examine(ofPerson(asked), { path: file, name: upload.name });
    const scope = await present();
    await assertMayPut(scope, upload);
    const blob = await keepBlob(scope.ownerId, file, scan);
    const sending = { id, what: "files.store", input: { ...upload, content: blob._id } };
    return await doOnce(scope, sending, {
      make: (keep) => fileOf(scope, upload, { mime, blob, keep, by }),
      look: async (madeId) => toFile(await readableFile(scope, madeId)),
    });
  } finally {
    await rm(file, { force: true });
  }
}

export const tooLargeFile = (limitBytes: number) =>
  badField("name", `This file is over ${Math.round(limitBytes / 1024 / 1024)} MB. Send a smaller one.`);

type Content = { mime: string; blob: BlobDoc; keep: Keep; by: Bringing | undefined };

/** The file of a content; where it is refused, such as for want of space, the content goes too. */
async function fileOf(scope: Scope, upload: Upload, { mime, blob, keep, by }: Content): Promise<StoredFile> {
  const _id = newId();
  try {
    return await inTransaction(async () => {
      await keep(_id);
      await claimBlob(blob);
      if (!by)
        await assertNotWidened(scope.ownerId, { ...upload, theCase: await placeOf(scope, upload), blobId: blob._id });
      const kept = by && (await assertMayBring(scope, upload, { by, blobId: blob._id }));
      return insertFile(
        scope,
        { ...upload, ...kept },
        { mime, blobId: blob._id, sizeBytes: blob.sizeBytes },
        { ...kept, _id },
      );
    });
  } catch (error) {
    // Why it was refused matters more than that the sweep has to do this later.
    await dropUnclaimed(blob).catch(() => undefined);
    throw error;
  }
}

export async function insertFile(
  scope: Scope,
  upload: Upload,
  content: Pick<FileDoc, "mime" | "blobId" | "sizeBytes">,
  release: Partial<
    Pick<FileDoc, "_id" | "tags" | "releasedFromId" | "consent" | "mark" | "wasShared" | "isMarkFixed">
  > = {},
): Promise<StoredFile> {
  await assertPartiesStay(scope.ownerId, upload);
  await takeSpace(scope.ownerId, content);
  const at = now();
  const [doc] = await FileModel.create([
    {
      ...upload,
      isOurOwn: upload.isOurOwn ?? false,
      wasShared: upload.visibility.scope === "shared",
      mark: upload.mark ?? NO_MARK,
      ...content,
      ...release,
      searchTerms: termsOf(upload.name),
      ownerId: scope.ownerId,
      createdAt: at,
      changedAt: at,
      createdBy: scope.userId,
      createdByName: scope.userName,
    },
  ]);
  if (!doc) throw new Error("the file that was just stored is missing");
  const did = upload.isOurOwn ? "added as the practice’s own" : "added";
  await tell(scope, doc.toObject(), release.releasedFromId ? "shared" : did);
  return toFile(doc.toObject());
}

export const termsOf = (name: string): string[] => {
  const folded = foldText(name);
  return [...new Set([folded, ...folded.split(/[\s._()-]+/)])].filter(Boolean);
};

export const tell = (scope: Scope, file: FileDoc, did: string) =>
  recordEvent(scope, {
    kind: "file",
    text: `File ${did}: ${file.name}`,
    caseId: file.caseId,
    clientIds: file.clientId ? [file.clientId] : [],
    visibility: lineVisibility(file.visibility),
    subjectId: file._id,
  });

/** One file that this person may read; what they may not looks missing, and so does what was deleted. */
export async function readableFile(scope: Scope, id: string): Promise<FileDoc> {
  const doc = await keptFile(scope, id);
  if (doc.deletedAt !== null) throw notFound("File");
  return doc;
}

export const getFile = async (scope: Scope, id: string): Promise<StoredFile> => toFile(await readableFile(scope, id));

/** The same, deleted or not: it can be brought back. */
export async function keptFile(scope: Scope, id: string): Promise<FileDoc> {
  const doc = await FileModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("File");
  if (!doc.caseId && doc.clientId) await missingWith("File", assertClientsVisible(scope, [doc.clientId]));
  const theCase = doc.caseId ? await missingWith("File", getCase(scope, doc.caseId)) : null;
  if (!mayRead(staffReader(scope, theCase), doc.visibility)) throw notFound("File");
  return doc;
}
