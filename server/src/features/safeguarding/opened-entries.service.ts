// Entries that a finding about somebody's safety opens by itself, or that somebody reports who may not read the record: a
// concern that only its writer knows of is lost. Each waits until somebody who may read the record completes it, or says
// why none is needed.
import mongoose from "mongoose";
import type { z } from "zod";
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import {
  type completeEntrySchema,
  type dismissEntrySchema,
  ENTRIES_MAX,
  type EntryVersion,
  type reportConcernSchema,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { inTransaction } from "../../core/database.ts";
import { notFound, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { endTasksWith, giveEach } from "../tasks/follow-up-tasks.service.ts";
import { type Opened, SafeguardingModel, sealLatest, toEntry } from "./safeguarding.model.ts";
import { assertDaysOf, caseOfEntry, findEntry, putWording, versionOf } from "./safeguarding.service.ts";

interface Finding extends Opened {
  caseId: string;
  /** In the words in which it was recorded. */
  concern: string;
}

const NOT_JUDGED = {
  consulted: null,
  told: [],
  whyNobodyTold: "",
  clientTold: null,
  clientWords: "",
  why: "",
} as const satisfies Partial<EntryVersion>;

/** In the transaction that keeps the finding. Its recorder need not be allowed to read what comes of it. */
export async function openEntry(scope: Scope, { caseId, concern, ...opened }: Finding): Promise<void> {
  await takeRecordTurns(scope.ownerId, [caseId]);
  const theCase = await getCase(scope, caseId);
  const { name, label, clientId } = requireParty(theCase, opened.partyId);
  const said = { personAtRisk: `${name} (${label})`, concern, immediacy: null };
  await open(scope, theCase, { said, opened, clientId });
}

/** Whoever hears of a risk may tell of it, and is told nothing of what the record says. */
export async function reportConcern(
  scope: Scope,
  { caseId, ...said }: z.output<typeof reportConcernSchema>,
): Promise<{ id: string }> {
  await takeRecordTurns(scope.ownerId, [caseId]);
  const theCase = await getCase(scope, caseId);
  // Others' are not counted: a limit would tell of them.
  const { ownerId, userId: authorId } = scope;
  if ((await SafeguardingModel.countDocuments({ ownerId, caseId, authorId })) >= ENTRIES_MAX)
    throw wrongState(
      `You wrote ${ENTRIES_MAX} entries about this case, which is the most. Tell a mediator of the case, or the owner.`,
    );
  return { id: await open(scope, theCase, { said, opened: null, clientId: null }) };
}

export async function getReport({ ownerId, userId }: Scope, id: string): Promise<{ id: string }> {
  if (!(await SafeguardingModel.exists({ ownerId, _id: id, authorId: userId }))) throw notFound("Entry");
  return { id };
}

interface Opening {
  said: Pick<EntryVersion, "personAtRisk" | "concern" | "immediacy">;
  opened: Opened | null;
  clientId: string | null;
}

async function open(scope: Scope, theCase: Case, { said, opened, clientId }: Opening): Promise<string> {
  const { ownerId, userId: authorId } = scope;
  const _id = newId();
  const wording = versionOf(scope, { ...NOT_JUDGED, told: [], ...said });
  await SafeguardingModel.create([
    {
      _id,
      ownerId,
      caseId: theCase.id,
      kind: "concern",
      authorId,
      state: "to_complete",
      opened,
      latestEnc: sealLatest(ownerId, _id, wording),
      begunAt: new Date(wording.at),
    },
  ]);
  await askToComplete(scope, theCase, { entryId: _id, clientId });
  return _id;
}

async function askToComplete(
  scope: Scope,
  { id: caseId, mediators }: Case,
  { entryId, clientId }: { entryId: string; clientId: string | null },
): Promise<void> {
  const { ownerId } = scope;
  await giveEach(scope, [...mediators.map(({ userId }) => userId), ownerId], {
    // Whose it is about stands in the entry: the title is also read on the page of the other party, in an interview.
    title: "Complete a safeguarding entry",
    dueOn: await practiceToday(ownerId),
    caseId,
    clientId,
    needs: "safeguarding.read",
    endsWith: entryId,
  });
}

/**
 * The screening that opened an entry is struck, in whose transaction this is called: what was said there may be true of
 * somebody else. The entry says so, is this party's no more, and goes on waiting for whoever judges it.
 */
export async function disownEntry(
  scope: Scope,
  { caseId, screeningId, reason }: { caseId: string; screeningId: string; reason: string },
): Promise<void> {
  await takeRecordTurns(scope.ownerId, [caseId]);
  const doc = await SafeguardingModel.findOne({
    ownerId: scope.ownerId,
    caseId,
    "opened.screeningId": screeningId,
  }).lean();
  if (!doc) return;
  const { at: _at, byName: _byName, ...latest } = toEntry(doc).latest;
  const personAtRisk = doc.state === "to_complete" ? "Not known yet" : latest.personAtRisk;
  const why = `The screening that opened this entry was struck as recorded in error (${reason}). Look again at whom it is about.`;
  await putWording(scope, { doc, version: doc.version, state: doc.state }, { ...latest, personAtRisk, why });
  await SafeguardingModel.updateOne({ ownerId: scope.ownerId, _id: doc._id }, { $set: { opened: null } });
  if (doc.state !== "to_complete") return;
  await endTasksWith(scope, doc._id);
  await askToComplete(scope, await getCase(scope, caseId), { entryId: doc._id, clientId: null });
}

/** Asks for all that a new entry asks for; what the finding said stays as the wording before. */
export const completeEntry = (
  scope: Scope,
  { id, version, ...fields }: z.output<typeof completeEntrySchema>,
): Promise<SafeguardingEntry> =>
  inTransaction(async () => {
    const doc = await findEntry(scope, id);
    await assertDaysOf(scope, await caseOfEntry(scope, doc), fields);
    if (doc.state === "kept") throw wrongState("This entry is complete already. Amend it instead.");
    const entry = await putWording(scope, { doc, version, state: "kept" }, { ...fields, why: "" });
    await endTasksWith(scope, id);
    return entry;
  });

/** The finding stays, with why it needs no entry; it may still be completed later. */
export const dismissEntry = (
  scope: Scope,
  { id, version, why }: z.output<typeof dismissEntrySchema>,
): Promise<SafeguardingEntry> =>
  inTransaction(async () => {
    const doc = await findEntry(scope, id);
    if (doc.state !== "to_complete")
      throw wrongState("This entry does not wait any more: somebody completed it meanwhile.");
    const { at: _at, byName: _byName, ...latest } = toEntry(doc).latest;
    const entry = await putWording(scope, { doc, version, state: "not_needed" }, { ...latest, why });
    await endTasksWith(scope, id);
    return entry;
  });

/** The party of none: it was reported by hand, or the screening that opened the entry was struck. */
export const OF_NOBODY_KNOWN = "";

/**
 * Of whom, in each of these cases, there is an entry that nobody has judged yet, unless a review opened it: that waits for
 * a screening. Of suspicions nobody learns here. Those that were begun after a moment are left out where one is given.
 */
export async function unjudgedIn(
  ownerId: string,
  caseIds: readonly string[],
  until?: Date,
): Promise<Map<string, Set<string>>> {
  if (caseIds.length === 0) return new Map();
  const docs = await SafeguardingModel.find({
    ownerId,
    caseId: mongoose.trusted({ $in: [...caseIds] }),
    kind: "concern",
    state: "to_complete",
    "opened.sessionId": null,
    ...(until ? { begunAt: mongoose.trusted({ $lte: until }) } : {}),
  }).lean();
  const ofCases = Map.groupBy(docs, ({ caseId }) => caseId);
  return new Map(
    [...ofCases].map(([caseId, of]) => [caseId, new Set(of.map(({ opened }) => opened?.partyId ?? OF_NOBODY_KNOWN))]),
  );
}

/**
 * How many entries of a case nobody has judged yet, for whoever may read them. They are counted for everybody: how long an
 * answer takes tells nothing either.
 */
export async function countOpenEntries(scope: Scope, caseId: string): Promise<number | null> {
  const { ownerId } = scope;
  const count = await SafeguardingModel.countDocuments({ ownerId, caseId, kind: "concern", state: "to_complete" });
  return can(scope, "safeguarding.read") ? count : null;
}

/** Said of reviews that are missing and of those that found something: to tell these apart would tell of the record. */
export const REVIEWS_TO_LOOK_AT =
  "The safety reviews of this session have to be looked at first. Ask a mediator of the case, or the owner.";

/** What a session waits for before it is locked; those who may not read the record are not told of it. */
export async function waitingEntries(scope: Scope, sessionId: string, { id, parties }: Case): Promise<string[]> {
  const filter = { ownerId: scope.ownerId, caseId: id, state: "to_complete" as const, "opened.sessionId": sessionId };
  const partyIds = new Set((await SafeguardingModel.find(filter).lean()).map(({ opened }) => opened?.partyId));
  if (partyIds.size === 0) return [];
  if (!can(scope, "safeguarding.read")) return [REVIEWS_TO_LOOK_AT];
  const labels = parties.filter(({ partyId }) => partyIds.has(partyId)).map(({ label }) => label);
  return [`Complete the safeguarding entry about ${labels.join(" and ")}, or say there why none is needed.`];
}
