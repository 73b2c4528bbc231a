// What can become of a kept file. Its readers never grow by it: that is a release, which makes a new file.
import { assertPartiesStay } from "../cases/named-parties.service.ts";
import mongoose from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { releaseFileSchema, StoredFile, updateFileSchema } from "@app/shared/files";
import { opensFinances, releasersOf, sharersOf } from "@app/shared/file-releases";
import { RELEASED_AS_IT_IS } from "@app/shared/notes";
import { isWeaker, ONLY_THEY_WEAKEN, PRIVILEGE_NAMES } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { isNoWiderCopy, type Visibility, wasThere } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, conflict, forbidden, notFound, stale, wrongState } from "../../core/errors.ts";
import { makeOnce } from "../../core/once.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases, getCase } from "../cases/cases.service.ts";
import { narrowLines } from "../history/history.service.ts";
import { assertConsent, assertReadersNow } from "../notes/note-release.service.ts";
import { assertNotTakenBack, defineTakenBack, whenTakenBack } from "../notes/taken-back.service.ts";
import { assertAnswers } from "../visibility/releasers.service.ts";
import { grantersOf, keptConsent } from "../visibility/kept-consents.service.ts";
import { narrowed } from "../visibility/visibility.service.ts";
import { assertNotWidened } from "./file-copies.service.ts";
import { assertMayGo } from "./file-holds.service.ts";
import { type FileDoc, FileModel, isOfAllParties, toFile } from "./files.model.ts";
import { readableOf } from "./party-files.service.ts";
import { assertMayHold, assertMayWrite, insertFile, keptFile, readableFile, tell, termsOf } from "./files.service.ts";

defineTakenBack(async ({ ownerId }, { caseId, id }) =>
  (await FileModel.find({ ownerId, caseId, releasedFromId: id }).lean()).flatMap(whenTakenBack),
);

/** Where the file is as it was read: what was asked of it then holds for no other version. */
export async function save(scope: Scope, { _id, version }: FileDoc, set: Partial<FileDoc>): Promise<FileDoc> {
  const saved = await FileModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id, version },
    { $set: set, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!saved) throw stale("file");
  return saved;
}

export async function updateFile(
  scope: Scope,
  { id, version, mark: wanted, markReason = "", isOurOwn, ...fields }: z.output<typeof updateFileSchema>,
): Promise<StoredFile> {
  const doc = await readableFile(scope, id);
  if (doc.version !== version) throw stale("file");
  if (doc.consent !== null && fields.name !== doc.name) throw badField("name", RELEASED_AS_IT_IS);
  const theCase = doc.caseId ? await getCase(scope, doc.caseId) : null;
  assertMayWrite(scope, theCase, fields);
  const visibility = narrowed(theCase, readableOf(doc), fields.visibility);
  const mark = wanted ?? doc.mark;
  assertMayMark(theCase, doc, { mark, visibility });
  const isWeakened = isWeaker(mark.privilege, doc.mark.privilege) || opensFinances(toFile(doc), mark);
  if (isWeakened) assertMayWeaken(scope, theCase, markReason);
  const renamed = fields.name === doc.name ? {} : { changedAt: now() };
  return inTransaction(async () => {
    await assertPartiesStay(scope.ownerId, { caseId: doc.caseId, visibility });
    const wasShared = isOfAllParties(doc);
    const own = isOurOwn === false ? { isOurOwn } : {};
    const set = { ...fields, mark, visibility, wasShared, ...own, ...renamed, searchTerms: termsOf(fields.name) };
    const saved = await save(scope, doc, set);
    await narrowLines(scope.ownerId, id, visibility);
    if (isWeakened) await tell(scope, saved, `marked ${markWords(mark)}, not ${markWords(doc.mark)} (${markReason})`);
    return toFile(saved);
  });
}

/** What went out as what it was marked stays so; what was held in confidence before the agreement stays that too. */
function assertMayMark(theCase: Case | null, before: FileDoc, after: Pick<FileDoc, "mark" | "visibility">): void {
  const isSameMark =
    before.mark.privilege === after.mark.privilege && before.mark.isFinancial === after.mark.isFinancial;
  if (before.sentAt !== null && !isSameMark)
    throw badField(
      "mark",
      "This file was sent with a mail as what it is marked, so its mark stays. Upload it again to mark it otherwise.",
    );
  if (before.isMarkFixed && !isSameMark)
    throw badField(
      "mark",
      "This is a finished document, or one that was sent out to be signed, so its mark stays. Begin a new draft of it, or upload it again, to mark it otherwise.",
    );
  const isHeldAlready = before.mark.isFinancial && before.visibility.aboutPartyIds.length > 0;
  // What is no financial disclosure is in nobody's confidence by a change that it was not in before.
  if (after.mark.isFinancial && !isHeldAlready) assertMayHold(theCase, after);
}

/** Whoever the mark stops does not take it off. */
function assertMayWeaken(scope: Scope, theCase: Case | null, reason: string): void {
  if (!answersFor(scope, theCase?.mediators ?? [])) throw badField("mark", ONLY_THEY_WEAKEN);
  if (reason === "") throw badField("markReason", "Say why it may be told to more people than before");
}

export const markWords = ({ privilege }: FileDoc["mark"]): string => PRIVILEGE_NAMES[privilege].toLowerCase();

/**
 * Shows a file to parties: as a new file that points back to this one, which stays as it was. What is in a party's
 * confidence needs that party's consent, and is then shared with all.
 */
export const releaseFile = (
  scope: Scope,
  { newId, ...release }: z.output<typeof releaseFileSchema>,
): Promise<StoredFile> =>
  makeOnce(
    scope,
    { id: newId, input: release, what: "files.release" },
    {
      make: () => shareFile(scope, release),
      look: async (madeId) => toFile(await readableFile(scope, madeId)),
    },
  );

async function shareFile(
  scope: Scope,
  { id, readers, consent }: Omit<z.output<typeof releaseFileSchema>, "newId">,
): Promise<StoredFile> {
  const doc = await readableFile(scope, id);
  if (doc.deletedAt) throw notFound("File");
  if (!doc.caseId)
    throw wrongState("This file is in no case, so there is no party to show it to. Move it to one first.");
  const theCase = await getCase(scope, doc.caseId);
  if (consent) assertAnswers(scope, theCase);
  await assertMayRelease(scope, theCase, doc, { readers, consent });
  await assertLetGo(scope, doc);
  const kept = consent && keptConsent(consent);
  const granters = kept ? grantersOf(kept) : [];
  await assertNotWidened(scope.ownerId, {
    theCase,
    visibility: readers,
    clientId: null,
    blobId: doc.blobId,
    consentedBy: theCase.parties.filter(({ partyId }) => granters.includes(partyId)).map(({ clientId }) => clientId),
  });
  assertMayWrite(scope, theCase, { visibility: readers });
  assertMayHold(theCase, { ...doc, visibility: readers });
  const { name, clientId, caseId, tags, mime, blobId, sizeBytes, mark, isOurOwn } = doc;
  // A copy of what was sent, or is a finished document, keeps the mark of that.
  const isMarkFixed = doc.isMarkFixed === true || doc.sentAt !== null;
  const release = { tags, releasedFromId: id, consent: kept, isMarkFixed };
  const upload = { name, clientId, caseId, visibility: readers, mark, isOurOwn };
  return inTransaction(async () => {
    // Of two who release it at the same moment the second finds it changed.
    await save(scope, doc, {});
    if (consent) await assertReadersNow(scope, theCase.id, consent);
    await assertNotReleased(scope, doc, theCase, readers);
    return insertFile(scope, upload, { mime, blobId, sizeBytes }, release);
  });
}

/** CONFLICT where these parties read it by a release already: taken back, the one would go and the other stay. */
async function assertNotReleased(
  { ownerId }: Scope,
  { _id, caseId }: FileDoc,
  { parties }: Case,
  readers: Visibility,
): Promise<void> {
  const releases = await FileModel.find({ ownerId, caseId, releasedFromId: _id, deletedAt: null }).lean();
  const have = (copy: FileDoc) =>
    parties.every(
      (party) => party.leftAt !== null || wasThere(party, { since: copy.createdAt, changedAt: copy.changedAt }),
    );
  if (releases.some((copy) => isNoWiderCopy(copy.visibility, readers) && have(copy)))
    throw conflict("These parties may read it already. Take that release back before you share it again.");
}

const SHARED_BEFORE =
  "This was shared before somebody joined the case, and stays among those who had it. Ask one of them for their consent and record it here.";

type Release = Pick<z.output<typeof releaseFileSchema>, "readers" | "consent">;

async function assertMayRelease(
  scope: Scope,
  theCase: Case,
  doc: FileDoc,
  { readers, consent }: Release,
): Promise<void> {
  const { visibility, changedAt } = doc;
  if (readers.scope !== "shared" && readers.scope !== "party")
    throw badField("readers", "Choose the parties who are to read this.");
  const sharers = sharersOf(theCase, toFile(doc));
  const confidants = releasersOf(theCase, toFile(doc));
  if (!consent) {
    if (sharers.length > 0) throw badField("consent", SHARED_BEFORE);
    if (confidants.length === 0) return;
    throw badField("consent", "This is in a party’s confidence. Ask for their consent and record it here.");
  }
  const { grantedByPartyId } = consent;
  if (sharers.length === 0 && confidants.length === 0)
    throw badField("consent", "This is in nobody’s confidence, so nobody’s consent belongs to it.");
  if (sharers.length > 0 && !sharers.includes(grantedByPartyId))
    throw badField("consent.grantedByPartyId", "Only somebody who had this before others joined can release it.");
  const aboutPartyIds = sharers.length > 0 ? [grantedByPartyId] : [...confidants];
  const released = { id: doc._id, visibility: { ...visibility, aboutPartyIds }, saidAt: changedAt };
  await assertConsent(scope, theCase, released, consent);
  if (readers.scope !== "shared") throw badField("readers", "What is released is shared with all parties.");
}

/** What was kept in a case of other people is shown to nobody by who could not have let it out there. */
async function assertLetGo(scope: Scope, { name, cameFromId }: FileDoc): Promise<void> {
  if (!cameFromId) return;
  const [from] = await findVisibleCases(systemScope(scope.ownerId), [cameFromId]);
  if (!answersFor(scope, from?.mediators ?? []))
    throw forbidden(
      `${name} was kept in a case of other people, so only the owner of the practice or a mediator of that case shows it to parties. Ask one of them.`,
    );
}

/** Deletes, which can be undone for thirty days. */
export const removeFiles = (scope: Scope, ids: string[]) => setDeleted(scope, ids, now());
export const restoreFiles = (scope: Scope, ids: string[]) => setDeleted(scope, ids, null);

async function setDeleted(scope: Scope, ids: string[], deletedAt: Date | null): Promise<{ changed: number }> {
  await inTransaction(async () => {
    for (const id of ids) {
      const doc = await keptFile(scope, id);
      if (!deletedAt && doc.deletedAt) await assertMayReturn(scope, doc, doc.deletedAt);
      if (deletedAt && !doc.deletedAt) await assertMayGo(doc);
      // Only what is not so yet: asked for twice it was still done once, and at the first moment.
      const { modifiedCount } = await FileModel.updateOne(
        { ownerId: scope.ownerId, _id: doc._id, deletedAt: deletedAt ? null : mongoose.trusted({ $ne: null }) },
        { $set: { deletedAt }, $inc: { version: 1 } },
      );
      if (modifiedCount > 0) await tell(scope, doc, deletedAt ? "deleted" : "brought back");
    }
  });
  return { changed: ids.length };
}

/** What was kept in a confidence meanwhile is not read again by way of what was deleted before. */
async function assertMayReturn(scope: Scope, doc: FileDoc, since: Date): Promise<void> {
  assertNotTakenBack(doc);
  const { _id, caseId, clientId, visibility, blobId } = doc;
  const theCase = caseId ? await getCase(scope, caseId) : null;
  await assertNotWidened(scope.ownerId, { theCase, clientId, visibility, blobId, fileId: _id, since });
}
