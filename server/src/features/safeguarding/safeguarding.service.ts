// What was done for whoever is at risk. It stands outside everything else that a practice looks at: it makes no line in a
// history, no mail and no count, and only for those who may read it a task, so that nobody else learns that there is any.
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import {
  type AddedEntry,
  type AddEntry,
  type amendEntrySchema,
  ENTRIES_MAX,
  ENTRY_VERSIONS_MAX,
  type EntryVersion,
  type entryPageSchema,
  isToldOfSuspicion,
  type listEntriesSchema,
  type listOfRemovedSchema,
  type listWordingsSchema,
  NOBODY_TELLS_OF_SUSPICION,
  type RemovedCase,
  type SafeguardingEntry,
  type wordingPageSchema,
} from "@app/shared/safeguarding";
import type { Case } from "@app/shared/cases";
import { PAGE_SIZE } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, missingWith, notFound, stale, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { mapFewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { assertNotLongBefore } from "../cases/case-days.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { definePartyTrace, KEPT } from "../cases/party-traces.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { askOfficerToRead, officerIdOf, readingOfficer } from "./officer.service.ts";
import {
  earlierWording,
  type SafeguardingDoc,
  SafeguardingModel,
  sealLatest,
  sealRemoved,
  toEntry,
  toWording,
  WordingModel,
} from "./safeguarding.model.ts";

definePartyTrace(KEPT, async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await SafeguardingModel.exists({ ownerId, caseId, "opened.partyId": partyId })),
);

export interface Reading {
  scope: Scope;
  log: Logger;
}

/** Entries of a case that this person may read, the newest first. The reading is logged, without how many there are. */
export async function listEntries(
  { scope, log }: Reading,
  { caseId, page }: z.output<typeof listEntriesSchema>,
): Promise<z.infer<typeof entryPageSchema>> {
  await getCase(scope, caseId);
  const found = await pageOfEntries({ ...(await visibleTo(scope)), caseId }, page);
  logRead(log, caseId);
  return found;
}

async function pageOfEntries(
  filter: QueryFilter<SafeguardingDoc>,
  page: number,
): Promise<z.infer<typeof entryPageSchema>> {
  const found = SafeguardingModel.find(filter)
    .sort({ begunAt: -1, _id: -1 })
    .skip((page - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .lean();
  const [items, total] = await Promise.all([mapFewAtATime(found, toEntry), SafeguardingModel.countDocuments(filter)]);
  return { items, total, isTotalExact: true };
}

const logRead = (log: Logger, caseId: string) => log.info({ event: "safeguarding record read", caseId }, "audit");

/** The same of all cases that are gone. */
export async function listEntriesOfRemoved(
  { scope, log }: Reading,
  { page }: z.output<typeof listOfRemovedSchema>,
): Promise<z.infer<typeof entryPageSchema>> {
  const found = await pageOfEntries({ ...(await visibleTo(scope)), ...ofRemovedCases(scope) }, page);
  log.info({ event: "safeguarding record of removed cases read" }, "audit");
  return found;
}

/** Nobody works on a case that is gone: whoever sees only their own cases reads what they wrote, and suspicions as the officer. */
const ofRemovedCases = ({ isAssignedOnly, userId }: Scope): QueryFilter<SafeguardingDoc> => ({
  removedCaseEnc: mongoose.trusted({ $type: "string" as const }),
  ...(isAssignedOnly ? { $and: [{ $or: [{ authorId: userId }, { kind: "suspicious_activity" as const }] }] } : {}),
});

/** Earlier wordings of an entry, the newest first; logged as the record is. */
export async function listWordings(
  { scope, log }: Reading,
  { id, page }: z.output<typeof listWordingsSchema>,
): Promise<z.infer<typeof wordingPageSchema>> {
  const { caseId, version } = await findEntry(scope, id);
  const found = WordingModel.find({ ownerId: scope.ownerId, entryId: id, version: mongoose.trusted({ $lt: version }) })
    .sort({ version: -1 })
    .skip((page - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .lean();
  const items = await mapFewAtATime(found, toWording);
  logRead(log, caseId);
  return { items, total: version, isTotalExact: true };
}

/** Suspicions are for whoever wrote them and the nominated officer: nobody else, not the owner of the practice either. */
async function visibleTo(scope: Scope): Promise<QueryFilter<SafeguardingDoc>> {
  const { ownerId, userId } = scope;
  const isOfficer = (await officerIdOf(ownerId)) === userId;
  return isOfficer ? { ownerId } : { ownerId, $or: [{ kind: "concern" }, { authorId: userId }] };
}

export async function addEntry(scope: Scope, { caseId, kind, ...fields }: AddEntry): Promise<AddedEntry> {
  const { ownerId, userId } = scope;
  await takeRecordTurns(ownerId, [caseId]);
  await assertDaysOf(scope, await getCase(scope, caseId), fields);
  await assertRoom(scope, caseId);
  const _id = newId();
  const wording = versionOf(scope, { ...fields, why: "" });
  const latestEnc = sealLatest(ownerId, _id, wording);
  const [doc] = await SafeguardingModel.create([
    { _id, ownerId, caseId, kind, authorId: userId, latestEnc, begunAt: new Date(wording.at) },
  ]);
  if (!doc) throw new Error("the entry that was just stored is missing");
  if (kind === "suspicious_activity" && (await officerIdOf(ownerId)) !== userId) await askOfficerToRead(scope, caseId);
  return added(scope, toEntry(doc.toObject()));
}

const added = async (scope: Scope, entry: SafeguardingEntry): Promise<AddedEntry> => ({
  ...entry,
  isForAuthorAlone: entry.kind === "suspicious_activity" && (await readingOfficer(scope, entry.caseId)) === null,
});

export const getAdded = async (scope: Scope, id: string): Promise<AddedEntry> =>
  added(scope, await getEntry(scope, id));

/** Of a case that is gone nobody knows any more when it began. */
export const caseOfEntry = async (scope: Scope, { caseId, removedCaseEnc }: SafeguardingDoc): Promise<Case | null> =>
  removedCaseEnc ? null : getCase(scope, caseId);

export async function assertDaysOf(
  scope: Scope,
  theCase: Case | null,
  { consulted, told }: Pick<AddEntry, "consulted" | "told">,
): Promise<void> {
  await assertNotLater(scope, "consulted.on", consulted.on);
  for (const [index, { on }] of told.entries()) {
    await assertNotLater(scope, `told.${index}.on`, on);
    if (theCase) await assertNotLongBefore(scope, theCase, `told.${index}.on`, on);
  }
}

/** Counts what this person may read: a limit that others' suspicions count to would tell of them. */
async function assertRoom(scope: Scope, caseId: string): Promise<void> {
  const count = await SafeguardingModel.countDocuments({ ...(await visibleTo(scope)), caseId });
  if (count >= ENTRIES_MAX)
    throw wrongState(`The record of this case has ${ENTRIES_MAX} entries, which is the most. Amend one of them.`);
}

export const versionOf = (scope: Scope, fields: Omit<EntryVersion, "at" | "byName">): EntryVersion => ({
  ...fields,
  at: now().toISOString(),
  byName: scope.userName,
});

export async function getEntry(scope: Scope, id: string): Promise<SafeguardingEntry> {
  return toEntry(await findEntry(scope, id));
}

export async function findEntry(scope: Scope, id: string): Promise<SafeguardingDoc> {
  const isReadable = { $or: [{ removedCaseEnc: null }, ofRemovedCases(scope)] };
  const doc = await SafeguardingModel.findOne({ ...(await visibleTo(scope)), $and: [isReadable], _id: id }).lean();
  if (!doc) throw notFound("Entry");
  if (!doc.removedCaseEnc) await missingWith("Entry", getCase(scope, doc.caseId));
  return doc;
}

/** Puts a new wording before the earlier ones, all of which stay. */
export const amendEntry = (
  scope: Scope,
  { id, version, ...fields }: z.output<typeof amendEntrySchema>,
): Promise<SafeguardingEntry> =>
  inTransaction(async () => {
    const doc = await findEntry(scope, id);
    await assertDaysOf(scope, await caseOfEntry(scope, doc), fields);
    if (doc.state !== "kept") throw wrongState("This entry was never completed. Complete it instead.");
    const { clientTold } = fields;
    if (isToldOfSuspicion({ kind: doc.kind, clientTold })) throw badField("clientTold", NOBODY_TELLS_OF_SUSPICION);
    return putWording(scope, { doc, version, state: "kept" }, fields);
  });

interface Place {
  doc: SafeguardingDoc;
  /** Which its sender saw. */
  version: number;
  state: SafeguardingDoc["state"];
}

export async function putWording(
  scope: Scope,
  { doc, version, state }: Place,
  fields: Omit<EntryVersion, "at" | "byName">,
): Promise<SafeguardingEntry> {
  const { ownerId, _id: id } = doc;
  if (doc.version !== version) throw stale("entry");
  // The newest stands beside those.
  if (version + 1 >= ENTRY_VERSIONS_MAX)
    throw wrongState(`An entry has at most ${ENTRY_VERSIONS_MAX} wordings. Add another entry.`);
  await WordingModel.create([earlierWording(doc, version, toEntry(doc).latest)]);
  const after = await SafeguardingModel.findOneAndUpdate(
    { ownerId, _id: id, version },
    { $set: { latestEnc: sealLatest(ownerId, id, versionOf(scope, fields)), state }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!after) throw stale("entry");
  return toEntry(after);
}

/**
 * What is recorded in cases outlives them, and tells nobody of itself by keeping them: call it in the transaction that
 * removes these.
 */
export async function keepEntriesOf({ ownerId }: Scope, removed: (RemovedCase & { id: string })[]): Promise<void> {
  const cases = new Map(removed.map(({ id, ...theCase }) => [id, theCase]));
  const filter = { ownerId, caseId: mongoose.trusted({ $in: [...cases.keys()] }) };
  for (const { _id, caseId } of await SafeguardingModel.find(filter, { caseId: 1 }).lean()) {
    const theCase = cases.get(caseId);
    if (theCase)
      await SafeguardingModel.updateOne(
        { ownerId, _id },
        { $set: { removedCaseEnc: sealRemoved(ownerId, _id, theCase) } },
      );
  }
}
