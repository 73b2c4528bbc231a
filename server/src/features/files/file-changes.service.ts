// What can become of a kept file. Its readers never grow by it: that is a release, which makes a new file.
import mongoose from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { moveFilesSchema, releaseFileSchema, StoredFile, updateFileSchema } from "@app/shared/files";
import { releasersOf, sharersOf } from "@app/shared/file-releases";
import { whyNotHeld } from "@app/shared/confidences";
import { RELEASED_AS_IT_IS } from "@app/shared/notes";
import { isWeaker, ONLY_THEY_WEAKEN, PRIVILEGE_NAMES, staysInCase } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { forParty, MEDIATOR_ONLY, mustConsent, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, notFound, stale, wrongState } from "../../core/errors.ts";
import { makeOnce } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertMayLend, casesApartFrom, type Lent } from "../cases/case-team.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { narrowLines } from "../history/history.service.ts";
import { assertConsent } from "../notes/note-release.service.ts";
import { assertAnswers } from "../visibility/releasers.service.ts";
import { mayRead, narrowed, staffReader } from "../visibility/visibility.service.ts";
import { assertNotWidened } from "./file-copies.service.ts";
import { type FileDoc, FileModel, isOfAllParties, toFile } from "./files.model.ts";
import { readableOf } from "./party-files.service.ts";
import {
  assertMayHold,
  assertMayWrite,
  insertFile,
  keptFile,
  placeOf,
  readableFile,
  tell,
  termsOf,
} from "./files.service.ts";

/** Where the file is as it was read: what was asked of it then holds for no other version. */
async function save(scope: Scope, { _id, version }: FileDoc, set: Partial<FileDoc>): Promise<FileDoc> {
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
  { id, version, mark: wanted, markReason = "", ...fields }: z.output<typeof updateFileSchema>,
): Promise<StoredFile> {
  const doc = await readableFile(scope, id);
  if (doc.version !== version) throw stale("file");
  if (doc.consent !== null && fields.name !== doc.name) throw badField("name", RELEASED_AS_IT_IS);
  const theCase = doc.caseId ? await getCase(scope, doc.caseId) : null;
  assertMayWrite(scope, theCase, fields);
  const visibility = narrowed(theCase, readableOf(doc), fields.visibility);
  const mark = wanted ?? doc.mark;
  assertMayMark(theCase, doc, { mark, visibility });
  const isWeakened = isWeaker(mark.privilege, doc.mark.privilege);
  if (isWeakened) assertMayWeaken(scope, theCase, markReason);
  const renamed = fields.name === doc.name ? {} : { changedAt: now() };
  return inTransaction(async () => {
    const wasShared = isOfAllParties(doc);
    const set = { ...fields, mark, visibility, wasShared, ...renamed, searchTerms: termsOf(fields.name) };
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
  const isHeldAlready = before.mark.isFinancial && before.visibility.aboutPartyIds.length > 0;
  // What is no financial disclosure is in nobody's confidence by a change that it was not in before.
  if (after.mark.isFinancial && !isHeldAlready) assertMayHold(theCase, after);
}

/** Whoever the mark stops does not take it off. */
function assertMayWeaken(scope: Scope, theCase: Case | null, reason: string): void {
  if (!answersFor(scope, theCase?.mediators ?? [])) throw badField("mark", ONLY_THEY_WEAKEN);
  if (reason === "") throw badField("markReason", "Say why it may be told to more people than before");
}

const markWords = ({ privilege }: FileDoc["mark"]): string => PRIVILEGE_NAMES[privilege].toLowerCase();

/**
 * In another place others could weaken its mark, other consents would let it out, and nobody would know any more whose
 * it was that was shared here.
 */
function assertMayTakeOut(scope: Scope, doc: FileDoc, { from, to }: { from: Case; to: Case | null }): void {
  const { name, mark } = doc;
  if (isOfAllParties(doc))
    throw wrongState(`${name} was shared with the parties of its case, so it stays there, whoever reads it by now.`);
  if (answersFor(scope, from.mediators)) return;
  const who = "so only the owner of the practice or a mediator of its case moves it. Ask one of them.";
  if (staysInCase(mark.privilege)) throw forbidden(`${name} is ${markWords(mark)}, ${who}`);
  if (mustConsent(doc.visibility).length > 0) throw forbidden(`${name} is in somebody’s confidence, ${who}`);
  // In no case it might go to anybody.
  if (to === null) throw forbidden(`${name} would be in no case any more, ${who}`);
}

/** Puts files somewhere else; all of them or, where one must stay, none. */
export async function moveFiles(
  scope: Scope,
  { ids, clientId, caseId }: z.output<typeof moveFilesSchema>,
): Promise<{ changed: number }> {
  if (!clientId && !caseId) throw badField("clientId", "Choose a client or a case.");
  const to = await placeOf(scope, { clientId, caseId });
  await inTransaction(async () => {
    for (const id of ids) {
      const doc = await readableFile(scope, id);
      const from = doc.caseId ? await getCase(scope, doc.caseId) : null;
      await assertMayLend(scope, await lentBy(doc, clientId, to));
      const isSameCase = from !== null && from.id === to?.id;
      const visibility = isSameCase
        ? doc.visibility
        : from
          ? movedVisibility(doc, from, to)
          : takenIn(doc, clientId, to);
      if (!isSameCase) {
        if (from) assertMayTakeOut(scope, doc, { from, to });
        assertMayHold(to, { ...doc, visibility });
        assertStillRead(scope, to, { ...doc, visibility });
        const { blobId } = doc;
        await assertNotWidened(scope.ownerId, { theCase: to, clientId, visibility, blobId, fileId: id });
      }
      await tell(scope, await save(scope, doc, { clientId, caseId, visibility }), "moved here");
    }
  });
  return { changed: ids.length };
}

/** What would be in a confidence that its mover may not read does not vanish before their eyes. */
function assertStillRead(scope: Scope, to: Case | null, { name, visibility }: FileDoc): void {
  if (!mayRead(staffReader(scope, to), visibility))
    throw forbidden(
      `${name} would be in its client’s confidence there, and you could not open it any more. Ask somebody who may read private notes to move it.`,
    );
}

/** From which cases this takes a file: all who found it there, and find it no more, are asked. */
async function lentBy(
  { ownerId, createdBy, ...at }: FileDoc,
  clientId: string | null,
  to: Case | null,
): Promise<Lent[]> {
  if (at.caseId !== null) return at.caseId === to?.id ? [] : [{ createdBy, caseIds: [at.caseId] }];
  if (at.clientId === null || (to === null && at.clientId === clientId)) return [];
  if (!to?.parties.some((party) => party.clientId === at.clientId)) return [{ createdBy, clientId: at.clientId }];
  return [{ createdBy, caseIds: await casesApartFrom(ownerId, at.clientId, to) }];
}

/** Who reads a file in another place: whose confidence it is goes with it, and else the practice alone. */
function movedVisibility(doc: FileDoc, from: Case, to: Case | null): Visibility {
  const { name, visibility } = doc;
  assertKnownTo(to, doc, from.mediators);
  const samePerson = (partyId: string) => {
    const clientId = from.parties.find((party) => party.partyId === partyId)?.clientId;
    return to?.parties.find((party) => party.clientId === clientId)?.partyId ?? null;
  };
  const confidants = mustConsent(visibility);
  const there = confidants.map(samePerson).filter((id) => id !== null);
  if (there.length < confidants.length)
    throw wrongState(`${name} is in the confidence of a party who is not in that case, so it stays where it is.`);
  if (visibility.scope === "mediator") return { ...MEDIATOR_ONLY, aboutPartyIds: there };
  const [one, ...others] = there;
  if (visibility.scope !== "party" || one === undefined) return { ...PRACTICE_ONLY, aboutPartyIds: there };
  // For the eyes of several it is in nobody's confidence alone.
  return others.length === 0 ? forParty(one) : { scope: "party", partyIds: there, aboutPartyIds: [] };
}

function assertKnownTo(to: Case | null, { name, visibility }: FileDoc, mediators: Case["mediators"]): void {
  const knowing = new Set(mediators.map(({ userId }) => userId));
  if (visibility.scope === "mediator" && to?.mediators.some(({ userId }) => !knowing.has(userId)))
    throw wrongState(`${name} is for the mediators of its case only. Leave it there, or show it to the team first.`);
}

/** The same of what is kept with a client and in no case: it is theirs, and in a case it is in their confidence. */
function takenIn(doc: FileDoc, clientId: string | null, to: Case | null): Visibility {
  const { name, visibility, mark } = doc;
  const partyId = to?.parties.find((party) => party.clientId === doc.clientId)?.partyId;
  const isStillTheirs = to === null ? clientId === doc.clientId : partyId !== undefined;
  if (!isStillTheirs || visibility.aboutPartyIds.length > 0)
    throw wrongState(`${name} is kept with somebody else, so it stays with them. Put it into a case that they are in.`);
  if (!to || partyId === undefined) return visibility;
  assertKnownTo(to, doc, []);
  const readers = visibility.scope === "mediator" ? MEDIATOR_ONLY : PRACTICE_ONLY;
  const theirs = { ...readers, aboutPartyIds: [partyId] };
  return whyNotHeld(to, theirs, mark.isFinancial) === null ? theirs : readers;
}

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
  assertMayRelease(theCase, doc, { readers, consent });
  await assertNotWidened(scope.ownerId, {
    theCase,
    visibility: readers,
    clientId: null,
    blobId: doc.blobId,
    consentedBy: theCase.parties.find(({ partyId }) => partyId === consent?.grantedByPartyId)?.clientId,
  });
  assertMayWrite(scope, theCase, { visibility: readers });
  assertMayHold(theCase, { ...doc, visibility: readers });
  const { name, clientId, caseId, tags, mime, blobId, sizeBytes, mark } = doc;
  const release = {
    tags,
    releasedFromId: id,
    consent: consent && { ...consent, at: new Date(consent.at) },
  };
  const upload = { name, clientId, caseId, visibility: readers, mark };
  return insertFile(scope, upload, { mime, blobId, sizeBytes }, release);
}

const SHARED_BEFORE =
  "This was shared before somebody joined the case, and stays among those who had it. Ask one of them for their consent and record it here.";

type Release = Pick<z.output<typeof releaseFileSchema>, "readers" | "consent">;

function assertMayRelease(theCase: Case, doc: FileDoc, { readers, consent }: Release): void {
  const { visibility, changedAt } = doc;
  if (readers.scope !== "shared" && readers.scope !== "party")
    throw badField("readers", "Choose the parties who are to read this.");
  const sharers = sharersOf(theCase, toFile(doc));
  const confidants = releasersOf(theCase, doc);
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
  assertConsent(theCase, { visibility: { ...visibility, aboutPartyIds }, saidAt: changedAt }, consent);
  if (readers.scope !== "shared") throw badField("readers", "What is released is shared with all parties.");
}

/** Deletes, which can be undone for thirty days. */
export const removeFiles = (scope: Scope, ids: string[]) => setDeleted(scope, ids, now());
export const restoreFiles = (scope: Scope, ids: string[]) => setDeleted(scope, ids, null);

async function setDeleted(scope: Scope, ids: string[], deletedAt: Date | null): Promise<{ changed: number }> {
  await inTransaction(async () => {
    for (const id of ids) {
      const doc = await keptFile(scope, id);
      if (!deletedAt && doc.deletedAt) await assertMayReturn(scope, doc, doc.deletedAt);
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
  const { _id, caseId, clientId, visibility, blobId } = doc;
  const theCase = caseId ? await getCase(scope, caseId) : null;
  await assertNotWidened(scope.ownerId, { theCase, clientId, visibility, blobId, fileId: _id, since });
}
