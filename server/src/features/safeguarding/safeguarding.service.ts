// What was done for whoever is at risk. It stands outside everything else that a practice looks at: it makes no line in a
// history, no task, no mail and no count, so that whoever may not read it does not learn that there is any.
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import {
  type AddEntry,
  type amendEntrySchema,
  ENTRY_VERSIONS_MAX,
  type EntryVersion,
  type officerSchema,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { getCase } from "../cases/cases.service.ts";
import { colleagues } from "../users/users.service.ts";
import { OfficerModel, type SafeguardingDoc, SafeguardingModel, sealVersions, toEntry } from "./safeguarding.model.ts";

/** Every entry of a case that this person may read, the newest first. The reading is logged, without how many there are. */
export async function listEntries(
  { scope, log }: { scope: Scope; log: Logger },
  caseId: string,
): Promise<{ items: SafeguardingEntry[] }> {
  await getCase(scope, caseId);
  const docs = await SafeguardingModel.find({ ...(await visibleTo(scope)), caseId }).lean();
  log.info({ event: "safeguarding record read", caseId }, "audit");
  return { items: docs.map(toEntry).toSorted((one, other) => begunAt(other).localeCompare(begunAt(one))) };
}

const begunAt = ({ versions }: SafeguardingEntry): string => versions.at(-1)?.at ?? "";

/** Suspicions are for whoever wrote them and the nominated officer: nobody else, not the owner of the practice either. */
async function visibleTo(scope: Scope): Promise<QueryFilter<SafeguardingDoc>> {
  const { ownerId, userId } = scope;
  const isOfficer = (await officerIdOf(ownerId)) === userId;
  return isOfficer ? { ownerId } : { ownerId, $or: [{ kind: "concern" }, { authorId: userId }] };
}

const officerIdOf = async (ownerId: string): Promise<string | null> =>
  (await OfficerModel.findOne({ _id: ownerId, ownerId }).lean())?.userId ?? null;

export async function addEntry(scope: Scope, { caseId, kind, ...fields }: AddEntry): Promise<SafeguardingEntry> {
  const { ownerId, userId } = scope;
  await takeRecordTurns(ownerId, [caseId]);
  await getCase(scope, caseId);
  const _id = newId();
  const versionsEnc = sealVersions(ownerId, _id, [versionOf(scope, { ...fields, why: "" })]);
  const [doc] = await SafeguardingModel.create([{ _id, ownerId, caseId, kind, authorId: userId, versionsEnc }]);
  if (!doc) throw new Error("the entry that was just stored is missing");
  return toEntry(doc.toObject());
}

const versionOf = (scope: Scope, fields: Omit<EntryVersion, "at" | "byName">): EntryVersion => ({
  ...fields,
  at: now().toISOString(),
  byName: scope.userName,
});

export async function getEntry(scope: Scope, id: string): Promise<SafeguardingEntry> {
  return toEntry(await findEntry(scope, id));
}

async function findEntry(scope: Scope, id: string): Promise<SafeguardingDoc> {
  const doc = await SafeguardingModel.findOne({ ...(await visibleTo(scope)), _id: id }).lean();
  if (!doc) throw notFound("Entry");
  await getCase(scope, doc.caseId);
  return doc;
}

/** Puts a new wording before the earlier ones, all of which stay. */
export const amendEntry = (
  scope: Scope,
  { id, version, ...fields }: z.output<typeof amendEntrySchema>,
): Promise<SafeguardingEntry> =>
  inTransaction(async () => {
    const doc = await findEntry(scope, id);
    if (doc.version !== version) throw stale("entry");
    const { versions } = toEntry(doc);
    if (versions.length >= ENTRY_VERSIONS_MAX)
      throw wrongState(`An entry has at most ${ENTRY_VERSIONS_MAX} wordings. Add another entry.`);
    const { ownerId } = scope;
    const versionsEnc = sealVersions(ownerId, id, [versionOf(scope, fields), ...versions]);
    const after = await SafeguardingModel.findOneAndUpdate(
      { ownerId, _id: id, version },
      { $set: { versionsEnc }, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!after) throw stale("entry");
    return toEntry(after);
  });

export async function getOfficer({ ownerId }: Scope): Promise<z.infer<typeof officerSchema>> {
  const userId = await officerIdOf(ownerId);
  const name = (await colleagues(ownerId)).find((each) => each.userId === userId)?.name ?? "";
  return { userId, name };
}

/** Who reads every suspicion; they open it with the permission for the record, as everybody does. */
export async function setOfficer(scope: Scope, userId: string | null): Promise<z.infer<typeof officerSchema>> {
  const { ownerId } = scope;
  if (userId !== null) {
    const person = (await colleagues(ownerId)).find((each) => each.userId === userId && each.isActive);
    if (!person) throw badField("userId", "Choose somebody of this practice.");
  }
  await OfficerModel.updateOne({ _id: ownerId, ownerId }, { $set: { userId } }, { upsert: true });
  return getOfficer(scope);
}

/** Which of these cases have entries, whoever may read them; for what would take the cases away. */
export async function casesWithEntries(ownerId: string, ids: string[]): Promise<Set<string>> {
  return new Set(await SafeguardingModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) }));
}
