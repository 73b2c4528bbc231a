import type { QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { documentContentSchema } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import { resolveDocument } from "@app/shared/document-merge";
import { blocksIn } from "@app/shared/document-walk";
import {
  CASE_DOCUMENTS_MAX,
  type CreateDocument,
  DOCUMENT_NAME_MAX_LENGTH,
  type documentListSchema,
  type listDocumentsSchema,
  type markDocumentSchema,
  type SaveDocument,
  type setDocumentRemovedSchema,
  type WrittenDocument,
} from "@app/shared/documents";
import type { attendTextSchema, getTextVersionSchema, listTextVersionsSchema } from "@app/shared/document-templates";
import { PAGE_SIZE } from "@app/shared/product";
import { lineVisibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { attend } from "./attendants.ts";
import {
  assertForSeveral,
  assertOfKind,
  assertWithoutProposals,
  readableDocument,
  readersOf,
} from "./document-access.ts";
import { dataFor } from "./document-data.ts";
import { assertOwnPictures, copyPictures, stored } from "./document-pictures.ts";
import { agreementValues, assertSaysChosen } from "./agreement-choice.ts";
import { tellDocumentFollowers } from "./document-followers.service.ts";
import { assertExchanged } from "./finance-data.ts";
import { bringFileBack, takeFilesAway } from "./removed-files.ts";
import { type DocumentDoc, DocumentModel, toDocument, toDocumentRow } from "./documents.model.ts";
import { assertLetterBegins, assertLetterHolds } from "./invitation-letters.ts";
import { templateForDocument } from "./templates.service.ts";
import { getTextVersion, keepTextVersion, listTextVersions } from "./text-versions.ts";

definePartyTrace("a document was written", async ({ ownerId }, { caseId, partyId }) => {
  const isFor: QueryFilter<DocumentDoc>[] = [{ "addressee.partyId": partyId }, { "addressee.kind": "joint" }];
  return Boolean(await DocumentModel.exists({ ownerId, caseId, deletedAt: null, $or: isFor }));
});

/** The documents of a case that this person may read, the one that was written in last first. */
export async function listDocuments(
  scope: Scope,
  { caseId, page }: z.output<typeof listDocumentsSchema>,
): Promise<z.infer<typeof documentListSchema>> {
  const theCase = await getCase(scope, caseId);
  const readable: QueryFilter<DocumentDoc> = readableFilter(staffReader(scope, theCase));
  const filter = { $and: [readable], ownerId: scope.ownerId, caseId, deletedAt: null };
  const [docs, total] = await Promise.all([
    DocumentModel.find(filter, { content: 0, said: 0 })
      .sort({ savedAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    DocumentModel.countDocuments(filter),
  ]);
  return { items: docs.map(toDocumentRow), total, isTotalExact: true };
}

export async function getDocument(scope: Scope, id: string): Promise<WrittenDocument> {
  return toDocument((await readableDocument(scope, id)).doc);
}

/** Every field says then what it stands for now; what had nothing to say is still to be written. */
export async function createDocument(
  scope: Scope,
  { caseId, templateId, name, addressee, privilege, confidences, isAskedAgain = false }: CreateDocument,
): Promise<WrittenDocument> {
  const theCase = await getCase(scope, caseId);
  const template = await templateForDocument(scope, templateId);
  const { kind } = template;
  assertOfKind(theCase, { kind, addressee, privilege });
  const visibility = await readersOf(scope, theCase, { addressee, kind });
  await assertLetterBegins(scope, theCase, { kind, addressee, isAskedAgain, content: template.content });
  if (DOCUMENT_RULES[kind].isFinancial) await assertExchanged(scope, theCase, addressee);
  assertForSeveral(theCase, { addressee, kind });
  const data = await dataFor(scope, theCase, { addressee, privilege, kind });
  Object.assign(data.values, agreementValues(theCase, { kind, confidences }));
  const { content, said } = resolveDocument(template.content, data);
  assertSaysChosen(content, confidences);
  if (!documentContentSchema.safeParse(content).success)
    throw badField("templateId", "With everybody’s names in it this is too long. Shorten the template.");
  const own = { name, kind, addressee, privilege, visibility, ...stored(content), said, supersedesId: null };
  const words = { ...own, caseId, templateId, templateName: template.name };
  return insertDocument(scope, words, { theCase, from: templateId });
}

/** A new draft with the same words, such as of a finished one that has to be put right. */
export async function copyDocument(scope: Scope, { documentId }: { documentId: string }): Promise<WrittenDocument> {
  const { doc, theCase } = await readableDocument(scope, documentId);
  if (doc.deletedAt !== null) throw notFound("Document");
  const { caseId, kind, addressee, privilege, visibility, content, said, templateId, templateName } = doc;
  await assertLetterHolds(scope, theCase, doc);
  if (DOCUMENT_RULES[kind].isFinancial) await assertExchanged(scope, theCase, addressee);
  const name = `New draft of ${doc.name}`.slice(0, DOCUMENT_NAME_MAX_LENGTH);
  const words = { name, kind, addressee, privilege, visibility, ...stored(content), said };
  const supersedesId = doc.status === "finished" ? doc._id : doc.supersedesId;
  return insertDocument(
    scope,
    { ...words, caseId, templateId, templateName, supersedesId },
    { theCase, from: documentId },
  );
}

type NewDocument = Pick<
  DocumentDoc,
  | "caseId"
  | "name"
  | "kind"
  | "addressee"
  | "privilege"
  | "visibility"
  | "content"
  | "pictureIds"
  | "said"
  | "templateId"
  | "templateName"
  | "supersedesId"
>;

/** `from` is the text whose pictures it shows. */
function insertDocument(
  scope: Scope,
  words: NewDocument,
  { theCase, from }: { theCase: Case; from: string },
): Promise<WrittenDocument> {
  return inTransaction(async () => {
    const { ownerId, userId, userName } = scope;
    const { kind, partyId } = words.addressee;
    const named = kind === "joint" ? theCase.parties.map((party) => party.partyId) : [partyId];
    await assertStillParties(ownerId, words.caseId, named);
    if ((await DocumentModel.countDocuments({ ownerId, caseId: words.caseId })) >= CASE_DOCUMENTS_MAX)
      throw wrongState(
        `This case has ${CASE_DOCUMENTS_MAX} documents, which is the most. Go on with one that is there.`,
      );
    const by = { createdAt: now(), createdBy: userId, createdByName: userName };
    const [made] = await DocumentModel.create([{ ...words, ownerId, ...by, ...savedNow(scope) }]);
    if (!made) throw new Error("the document that was just stored is missing");
    const doc = made.toObject();
    await copyPictures(ownerId, doc.content, { from, to: doc._id });
    await tell(scope, doc, "begun");
    return toDocument(doc);
  });
}

const savedNow = (scope: Scope) => ({ savedAt: now(), savedBy: scope.userId, savedByName: scope.userName });

export async function tell(scope: Scope, doc: DocumentDoc, did: string): Promise<void> {
  await recordEvent(scope, {
    kind: "file",
    text: `Document “${doc.name}” ${did}`,
    caseId: doc.caseId,
    clientIds: [],
    visibility: lineVisibility(doc.visibility),
    subjectId: doc._id,
  });
}

export async function saveDocument(scope: Scope, input: SaveDocument): Promise<WrittenDocument> {
  const { id, version, name, content, isRestored } = input;
  if ([...blocksIn(content.content)].some(({ type }) => type === "conditional" || type === "repeat"))
    throw badField("content", "Parts that stay, go or come again belong in a template. Take them out.");
  return inTransaction(async () => {
    const { doc } = await draftOf(scope, { id, version });
    await assertOwnPictures(scope.ownerId, id, content);
    assertWithoutProposals(content, doc.privilege);
    await keepTextVersion(scope, doc, isRestored);
    return toDocument(await changeDocument(scope, doc, { name, ...stored(content), ...savedNow(scope) }));
  });
}

export async function markDocument(
  scope: Scope,
  { id, version, privilege }: z.output<typeof markDocumentSchema>,
): Promise<WrittenDocument> {
  return inTransaction(async () => {
    const { doc, theCase } = await draftOf(scope, { id, version });
    assertOfKind(theCase, { ...doc, privilege });
    assertWithoutProposals(doc.content, privilege);
    return toDocument(await changeDocument(scope, doc, { privilege, ...savedNow(scope) }));
  });
}

/** A draft as it stood on the screen of whoever changes it. */
export async function draftOf(scope: Scope, { id, version }: { id: string; version: number }) {
  const found = await readableDocument(scope, id);
  assertDraft(found.doc);
  if (found.doc.version !== version) throw stale("document");
  return found;
}

export function assertDraft({ status, deletedAt }: Pick<DocumentDoc, "status" | "deletedAt">): void {
  if (deletedAt !== null) throw wrongState("This document was removed. Bring it back before you change it.");
  if (status === "finished")
    throw wrongState("This document is finished, so it stays as it is. Begin a new draft of it.");
}

export async function changeDocument(
  { ownerId }: Scope,
  { _id, version }: DocumentDoc,
  fields: Partial<DocumentDoc>,
): Promise<DocumentDoc> {
  const doc = await DocumentModel.findOneAndUpdate(
    { ownerId, _id, version, status: "draft", deletedAt: null },
    { $set: fields, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw stale("document");
  return doc;
}

/** Takes a document out of the lists, and the file of a finished one from those who could read it. It can be undone. */
export async function setDocumentRemoved(
  scope: Scope,
  { id, isRemoved }: z.output<typeof setDocumentRemovedSchema>,
): Promise<WrittenDocument> {
  return inTransaction(async () => {
    const { doc } = await readableDocument(scope, id);
    if ((doc.deletedAt !== null) === isRemoved) return toDocument(doc);
    const changed = await DocumentModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id },
      { $set: { deletedAt: isRemoved ? now() : null } },
      { returnDocument: "after", lean: true },
    );
    if (!changed) throw notFound("Document");
    if (changed.status === "finished") {
      await takePlace(scope, changed, !isRemoved);
      await (isRemoved ? takeFilesAway(scope, changed) : bringFileBack(scope, changed));
    }
    await tellDocumentFollowers(scope, doc, changed);
    await tell(scope, changed, isRemoved ? "removed" : "brought back");
    return toDocument(changed);
  });
}

/** The finished one that this was a new draft of steps back for it, or stands again. Call it in a transaction. */
export async function takePlace({ ownerId }: Scope, doc: DocumentDoc, isThere: boolean): Promise<void> {
  if (!doc.supersedesId) return;
  const before = { ownerId, _id: doc.supersedesId };
  if (isThere) await DocumentModel.updateOne(before, { $set: { supersededById: doc._id } });
  else await DocumentModel.updateOne({ ...before, supersededById: doc._id }, { $set: { supersededById: null } });
}

export async function listDocumentVersions(scope: Scope, input: z.output<typeof listTextVersionsSchema>) {
  await readableDocument(scope, input.id);
  return listTextVersions(scope, input);
}

export async function getDocumentVersion(scope: Scope, input: z.output<typeof getTextVersionSchema>) {
  await readableDocument(scope, input.id);
  return getTextVersion(scope, input);
}

export async function attendDocument(scope: Scope, input: z.output<typeof attendTextSchema>) {
  await readableDocument(scope, input.id);
  return attend(scope, input);
}

/** What whoever finishes it has to write first, by name. */
export const namesOfFields = (paths: readonly string[]): string => paths.map(fieldName).join(", ");
