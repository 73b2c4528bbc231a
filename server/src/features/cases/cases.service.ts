import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { type Case, type CreateCase, type Party } from "@app/shared/cases";
import { type CaseRow, type casePageSchema, type listCasesSchema } from "@app/shared/case-rows";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { foldText } from "@app/shared/text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, notFound } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Typed } from "../../core/word-search.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { recordEvents } from "../history/history.service.ts";
import { caseNumberPrefix, practiceToday } from "../practices/practices.service.ts";
import { changeCase, count, derive, visibleTo } from "./case-changes.service.ts";
import { findCaseIds } from "./case-search.ts";
import { assertMayBring, assertMayChoose, reassignClients, teamOfNew } from "./case-team.service.ts";
import { CaseNumberModel } from "./case-counts.model.ts";
import { NOT_ENDED, type Past } from "./case-steps.service.ts";
import { type CaseRowDoc, ROW_FIELDS, toCaseRows, toCases } from "./case-mapping.ts";
import { type End, equalShares, newParty, statusOf } from "./case-parties.service.ts";
import { type CaseDoc, CaseModel } from "./cases.model.ts";

const LISTED_MAX = { clients: 200, cases: 500 };
const TAKEN_REF = "Another case has this reference. Choose another one.";
/** The other case may be hidden from whoever reads this. */
const REFUSED_REF = "This reference cannot be used. Choose another one, or leave it empty for the next number.";

export const getCase = async (scope: Scope, id: string): Promise<Case> => oneCase(scope, await findCaseDoc(scope, id));

/** A case as it is stored, for what changes it. */
export async function findCaseDoc(scope: Scope, id: string): Promise<CaseDoc> {
  const doc = await CaseModel.findOne({ ...visibleTo(scope), _id: id }).lean();
  if (!doc) throw notFound("Case");
  return doc;
}

/** The steps that a case and its parties took, whoever asks: what they ask of others holds for everybody. */
export async function pastOf({ ownerId }: Scope, id: string): Promise<Past> {
  const fields = {
    status: 1,
    statusSince: 1,
    steps: 1,
    concludedOn: 1,
    "parties.partyId": 1,
    "parties.steps": 1,
  } as const;
  const past = await CaseModel.findOne({ ownerId, _id: id }, fields).lean<Past>();
  if (!past) throw notFound("Case");
  return past;
}

async function oneCase(scope: Scope, doc: CaseDoc): Promise<Case> {
  const [theCase] = await toCases(scope, [doc]);
  if (!theCase) throw notFound("Case");
  return theCase;
}

/**
 * Every case that this client is or was a party to, the newest first. All of them, because what is looked for in a
 * client's cases, such as another party's address, is not there where one is left out.
 */
export async function listCasesOfClient(scope: Scope, clientId: string): Promise<Case[]> {
  const docs = await CaseModel.find({ ...visibleTo(scope), clientIds: clientId })
    .sort({ createdAt: -1, _id: -1 })
    .lean();
  return toCases(scope, docs);
}

/** Which of these cases this person may see. */
export async function findVisibleCases(scope: Scope, ids: string[]): Promise<Case[]> {
  const docs = await CaseModel.find({ ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }).lean();
  return toCases(scope, docs);
}

/** The same in the few words of a list. */
export async function findCaseRows(scope: Scope, ids: string[]): Promise<CaseRow[]> {
  const docs = await CaseModel.find({ ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }, ROW_FIELDS).lean<
    CaseRowDoc[]
  >();
  return toCaseRows(scope, docs);
}

export type CaseLabels = Pick<CaseRowDoc, "caseRef" | "parties" | "mediators">;

/** Of these cases as far as this person may see them, by id: the reference, and who is which party. */
export async function findCaseLabels(scope: Scope, ids: string[]): Promise<Map<string, CaseLabels>> {
  const docs = await CaseModel.find({ ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }, ROW_FIELDS).lean<
    CaseRowDoc[]
  >();
  return new Map(docs.map((doc) => [doc._id, doc]));
}

/** The references of the cases that each of these clients is in, as far as this person sees them. */
export async function caseRefsOfClients(scope: Scope, clientIds: string[]): Promise<Map<string, string[]>> {
  const docs = await CaseModel.find(
    { ...visibleTo(scope), clientIds: mongoose.trusted({ $in: clientIds }) },
    { caseRef: 1, clientIds: 1 },
  ).lean();
  const refsOf = (id: string) => docs.filter((doc) => doc.clientIds.includes(id)).map(({ caseRef }) => caseRef);
  return new Map(clientIds.map((id) => [id, refsOf(id)]));
}

export function requireParty(theCase: Case, partyId: string): Party {
  const party = theCase.parties.find((one) => one.partyId === partyId);
  if (!party) throw notFound("Party");
  return party;
}

export async function listCases(
  scope: Scope,
  input: z.output<typeof listCasesSchema>,
): Promise<z.infer<typeof casePageSchema>> {
  const found =
    foldText(input.search) === ""
      ? null
      : await findCaseIds(scope, { text: input.search, spelling: "exact" }, LISTED_MAX);
  const filter: QueryFilter<CaseDoc> = {
    ...visibleTo(scope),
    ...(input.status ? { status: input.status } : {}),
    ...(input.clientId ? { clientIds: input.clientId } : {}),
    ...(found ? { _id: mongoose.trusted({ $in: found.ids }) } : {}),
  };
  const [docs, total] = await Promise.all([
    CaseModel.find(filter, ROW_FIELDS)
      .sort({ createdAt: -1, _id: -1 })
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean<CaseRowDoc[]>(),
    CaseModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return {
    items: await toCaseRows(scope, docs),
    total: Math.min(total, COUNT_MAX),
    isTotalExact: total <= COUNT_MAX && found?.isComplete !== false,
  };
}

/** The first cases that a search finds, the newest of them first, without counting the rest. */
export async function findCases(scope: Scope, typed: Typed, limit: number): Promise<CaseRow[]> {
  const { ids } = await findCaseIds(scope, typed, { clients: limit * 4, cases: limit * 4 });
  const docs = await CaseModel.find({ ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }, ROW_FIELDS)
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .lean<CaseRowDoc[]>();
  return toCaseRows(scope, docs);
}

export async function createCase(scope: Scope, input: CreateCase, keep: Keep = KEPT_BY_NOBODY): Promise<Case> {
  const [created] = await createCases(scope, [input], keep);
  if (!created) throw new Error("the case that was just stored is missing");
  return created;
}

/** A case that began somewhere else, and stands where it stands. */
export interface ImportedCase extends CreateCase {
  standing?: { status: CaseStatus; since: Date; partyStatuses: PartyStatus[]; end?: End };
}

/** Stores all of these cases or, where one cannot be stored, none. */
export async function createCases(scope: Scope, inputs: ImportedCase[], keep: Keep = KEPT_BY_NOBODY): Promise<Case[]> {
  for (const { parties } of inputs)
    if (new Set(parties.map(({ clientId }) => clientId)).size < parties.length)
      throw badField("parties", "This client is already a party. Choose somebody else.");
  await assertClientsVisible(
    scope,
    inputs.flatMap(({ parties }) => parties.map(({ clientId }) => clientId)),
  );
  await assertMayChoose(
    scope,
    inputs.map((after) => ({ after, before: null })),
  );
  try {
    return await toCases(scope, await inTransaction(() => insertCases(scope, inputs, keep)));
  } catch (error) {
    if (isDuplicateKey(error)) throw badField("caseRef", scope.isAssignedOnly ? REFUSED_REF : TAKEN_REF);
    throw error;
  }
}

async function insertCases(scope: Scope, inputs: ImportedCase[], keep: Keep): Promise<CaseDoc[]> {
  const nextRef = await references(scope, inputs.filter(({ caseRef }) => caseRef === "").length);
  const drafts = inputs.map((input) => draftOf(scope, input, input.caseRef || nextRef()));
  await assertMayBring(
    scope,
    drafts.flatMap(({ clientIds }) => clientIds),
  );
  await keep(drafts[0]?._id ?? "");
  const stored = await CaseModel.insertMany(drafts);
  const docs = stored.map((doc) => doc.toObject());
  await reassignClients(
    scope.ownerId,
    docs.flatMap(({ clientIds }) => clientIds),
  );
  await count(scope.ownerId, [], docs);
  await recordEvents(
    scope,
    docs.map((doc) => ({
      kind: "case",
      text: `Case ${doc.caseRef} opened`,
      caseId: doc._id,
      clientIds: doc.clientIds,
      visibility: PRACTICE_ONLY,
    })),
  );
  return docs;
}

function draftOf(scope: Scope, { parties, standing, ...input }: ImportedCase, caseRef: string) {
  const at = standing?.since ?? now();
  const begun = parties.map((party, index) => ({
    ...newParty(party, `P${index + 1}`, at),
    ...statusOf(standing?.partyStatuses[index] ?? "to_invite", at),
  }));
  return derive({
    ...input,
    staffIds: teamOfNew(scope, input),
    _id: newId(),
    ownerId: scope.ownerId,
    caseRef,
    status: standing?.status ?? "enquiry",
    statusSince: at,
    reason: "",
    steps: [],
    rounds: [],
    waitingFor: "",
    waitingSince: at,
    parties: equalShares(begun),
    confidences: null,
    agreements: [],
    newAgreement: null,
    disclosures: [],
    partyCount: parties.length,
    clientIds: [],
    assignedUserIds: [],
    searchTerms: [],
    ...(standing?.end ?? NOT_ENDED),
    createdBy: scope.userId,
    version: 0,
  });
}

/** Takes this many numbers of the practice and the year at once; gives them out one by one, such as QF-2026-0142. */
async function references(scope: Scope, howMany: number): Promise<() => string> {
  const prefix = await caseNumberPrefix(scope.ownerId);
  const year = (await practiceToday(scope.ownerId)).slice(0, 4);
  const counter = await CaseNumberModel.findOneAndUpdate(
    { ownerId: scope.ownerId, year },
    { $inc: { last: howMany } },
    { upsert: true, returnDocument: "after", lean: true },
  );
  let next = (counter?.last ?? howMany) - howMany;
  return () => {
    next += 1;
    return caseReference(prefix, year, next);
  };
}

export const caseReference = (prefix: string, year: string, number: number): string =>
  [prefix, year, String(number).padStart(4, "0")].filter(Boolean).join("-");

/** Changes a case in a transaction, and gives it as this person sees it. */
export const changedCase = async (
  scope: Scope,
  ...rest: [Parameters<typeof changeCase>[1], Parameters<typeof changeCase>[2]]
) => oneCase(scope, await changeCase(scope, ...rest));
