// A draft becomes a file that never changes, for exactly those for whom it was written.
import { Readable } from "node:stream";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import type { DocumentData } from "@app/shared/document-merge";
import { DOCUMENT_RULES, PRIVILEGE_BANNERS, PRIVILEGE_FOOTERS, PRIVILEGE_WATERMARKS } from "@app/shared/document-kinds";
import { fieldsIn, imagesIn, isUnsaid, missingIn } from "@app/shared/document-walk";
import type { documentLookSchema, FinishDocument, WrittenDocument } from "@app/shared/documents";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineDrawing } from "../../core/pdf.ts";
import type { PdfDocument } from "../../core/pdf-document.ts";
import type { Scope } from "../../core/trpc.ts";
import { removeFiles } from "../files/file-changes.service.ts";
import { fixMark } from "../files/file-content.service.ts";
import { storeFile } from "../files/files.service.ts";
import { letterheadOf, LOGO } from "../letterheads/letterheads.service.ts";
import {
  assertForSeveral,
  assertOfKind,
  assertWithoutProposals,
  readableDocument,
  readersOf,
} from "./document-access.ts";
import { assertConsents, assertMediated, consentsDue } from "./finish-consents.ts";
import { dataFor } from "./document-data.ts";
import { picturesOf } from "./document-pictures.ts";
import { assertExchanged } from "./finance-data.ts";
import { assertNothingFalse } from "./former-words.ts";
import { assertLetterHolds } from "./invitation-letters.ts";
import { outdatedFacts } from "./recorded-facts.ts";
import { changedSince, doubtsIn, leftOutOf } from "./recorded-rows.ts";
import { assertHeld } from "./said-sessions.ts";
import { assertDraft, changeDocument, draftOf, namesOfFields, takePlace, tell } from "./documents.service.ts";
import { type DocumentDoc, toDocument } from "./documents.model.ts";

const draw = defineDrawing("This document has more pages than can be printed. Make two of it.");

/** Makes the PDF and files it. Whatever stands in the way is said, and nothing has happened. */
export async function finishDocument(
  scope: Scope,
  { id, version, consents }: FinishDocument,
): Promise<WrittenDocument> {
  const { doc: found } = await readableDocument(scope, id);
  if (isFinishedFrom(found, version)) return toDocument(found);
  const { doc, theCase } = await draftOf(scope, { id, version });
  await assertFinished(scope, doc, theCase);
  await assertConsents(scope, theCase, doc, consents);
  const { bytes, unwritten } = await draw(ofPerson(scope), await printed(scope.ownerId, doc, theCase));
  const { partyId } = doc.addressee;
  const party = doc.addressee.kind === "party" ? theCase.parties.find((one) => one.partyId === partyId) : undefined;
  // The same text of the same person is filed once, whatever happens in between.
  const file = await storeFile(scope, Readable.from([bytes]), {
    id: `document-${doc._id.slice(0, 24)}-${version}-${scope.userId}`.slice(0, 64),
    name: `${doc.name}.pdf`,
    clientId: party?.clientId ?? null,
    caseId: doc.caseId,
    visibility: doc.visibility,
    mark: { privilege: doc.privilege, isFinancial: DOCUMENT_RULES[doc.kind].isFinancial },
  });
  const finishing = inTransaction(async () => {
    await draftOf(scope, { id, version });
    const finished = await changeDocument(scope, doc, { status: "finished", fileId: file.id, unwritten, consents });
    await fixMark(scope.ownerId, file.id);
    await takePlace(scope, finished, true);
    await tell(scope, finished, "finished");
    return toDocument(finished);
  });
  return finishing.catch(async (error: unknown) => {
    // Somebody wrote on, or finished it too: nobody reads a text that was not finished.
    const { doc: is } = await readableDocument(scope, id);
    if (is.fileId !== file.id) await removeFiles(scope, [file.id]);
    if (isFinishedFrom(is, version)) return toDocument(is);
    throw error;
  });
}

/** It was this very text that was finished: asked for twice it was still done once. */
const isFinishedFrom = (doc: DocumentDoc, version: number): boolean =>
  doc.status === "finished" && doc.deletedAt === null && doc.version === version + 1;

/** Also what came to stand in the way since it was begun: who may be named, and which address is kept from others. */
async function assertFinished(scope: Scope, doc: DocumentDoc, theCase: Case): Promise<void> {
  const missing = missingIn(doc.content);
  if (missing.length > 0)
    throw wrongState(`This is still to be written: ${namesOfFields(missing)}. Put words in its place, or take it out.`);
  const unsaid = imagesIn(doc.content).filter(isUnsaid).length;
  if (unsaid > 0)
    throw wrongState(
      `Say what ${unsaid === 1 ? "the picture shows" : `the ${unsaid} pictures show`}, or mark ${unsaid === 1 ? "it" : "them"} as decoration: whoever does not see it is read this.`,
    );
  await assertSayable(scope, doc, theCase);
  await assertMediated(scope, theCase, doc);
}

/** What would be filed, of the draft as it is stored: nothing is changed by looking. */
export async function drawDraft(scope: Scope, id: string) {
  const { doc, theCase } = await readableDocument(scope, id);
  assertDraft(doc);
  await assertFinished(scope, doc, theCase);
  const drawn = await draw(ofPerson(scope), await printed(scope.ownerId, doc, theCase));
  return { ...drawn, doc, theCase };
}

export async function lookAtDraft(scope: Scope, id: string): Promise<z.infer<typeof documentLookSchema>> {
  const { unwritten, doc, theCase } = await drawDraft(scope, id);
  const due = await consentsDue(scope, theCase, doc);
  return {
    unwritten,
    doubts: doubtsIn(doc.content),
    consentsDue: due.map(({ partyId, label, name }) => ({ partyId, label, name })),
  };
}

/** Whatever form it leaves in: those for whom it is may still read all of it. */
export async function assertSayable(scope: Scope, doc: DocumentDoc, theCase: Case): Promise<void> {
  assertOfKind(theCase, doc);
  await readersOf(scope, theCase, doc);
  assertForSeveral(theCase, doc);
  assertWithoutProposals(doc.content, doc.privilege);
  await assertLetterHolds(scope, theCase, doc);
  const isFinancial = DOCUMENT_RULES[doc.kind].isFinancial;
  if (isFinancial) await assertExchanged(scope, theCase, doc.addressee);
  const data = await dataFor(scope, theCase, doc);
  const values = new Map(Object.entries(data.values));
  const areNamed = [data.repeats.parties, data.repeats.children].some((each) => each && each.length > 0);
  const isSayable = (path: string) => (path.startsWith("each.") ? areNamed : Boolean(values.get(path)));
  const unsayable = fieldsIn(doc.content)
    .filter(({ attrs: { path, said } }) => said !== null && WITHDRAWN.has(path) && !isSayable(path))
    .map(({ attrs }) => attrs.path);
  if (unsayable.length > 0)
    throw wrongState(`This may not be said here any more: ${namesOfFields([...new Set(unsayable)])}. Take it out.`);
  assertRecorded(doc.content, data, isFinancial);
  const outdated = outdatedFacts(doc.content, data.values);
  if (outdated.length > 0)
    throw wrongState(
      `This is recorded otherwise now, or not at all. ${someOf(outdated)}. Write in its place what is right, or begin a new document from the template.`,
    );
  await assertNothingFalse(scope, theCase, doc);
  await assertHeld(scope, theCase, doc.content);
}

/** Throws, and names what changed, where figures or proposals are recorded otherwise than the text says them. */
function assertRecorded(content: DocumentContent, data: DocumentData, isFinancial: boolean): void {
  const changed = changedSince(content, data);
  if (changed.length > 0)
    throw wrongState(`This text says other things than what is recorded. ${someOf(changed)}. ${BEGIN_ANEW}`);
  const leftOut = isFinancial ? leftOutOf(content, data) : [];
  if (leftOut.length > 0)
    throw wrongState(`The participants also disclosed to each other: ${someOf(leftOut)}. ${BEGIN_ANEW}`);
}

const BEGIN_ANEW =
  "To put in the newer figures and proposals, begin a new document from the template, and move your own words into it.";
const NAMED_MAX = 5;

const someOf = (told: readonly string[]): string =>
  [...told.slice(0, NAMED_MAX), ...(told.length > NAMED_MAX ? [`and ${told.length - NAMED_MAX} more`] : [])].join("; ");

/** What somebody may ask to be kept from others between a draft and its end. */
const WITHDRAWN = new Set([
  "client.address",
  "otherParty.firstName",
  "otherParty.fullName",
  "parties.names",
  "children.names",
  "case.reference",
  "each.fullName",
  "each.firstName",
]);

/** At the foot of each page. A reference may name both: only those who have it in their text already see it. */
export function footerOf({ name, privilege, content }: DocumentDoc, { caseRef }: Case): string {
  const isReferred = fieldsIn(content).some(({ attrs }) => attrs.path === "case.reference" && attrs.said === caseRef);
  return [PRIVILEGE_FOOTERS[privilege], isReferred ? `${name}, ${caseRef}` : name].filter(Boolean).join(" ");
}

async function printed(ownerId: string, doc: DocumentDoc, theCase: Case): Promise<PdfDocument> {
  const { name, privilege, content, savedAt } = doc;
  const [letterhead, images] = await Promise.all([letterheadOf(ownerId), picturesOf(ownerId, doc._id, content)]);
  if (letterhead.logo) images.set(LOGO, letterhead.logo);
  const watermark = PRIVILEGE_WATERMARKS[privilege];
  return {
    title: name,
    footer: footerOf(doc, theCase),
    head: {
      name: letterhead.name,
      mark: PRIVILEGE_BANNERS[privilege]?.mark ?? "",
      ...(letterhead.logo && { logo: LOGO }),
    },
    ...(watermark && { watermark }),
    madeAt: savedAt,
    images,
    parts: [{ kind: "content", content }],
  };
}
