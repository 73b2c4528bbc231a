import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { ASKED_MAX } from "@app/shared/party-preview";
import { isKeptInside } from "@app/shared/privileges";
import { mayPartyRead, type Readable } from "@app/shared/visibility";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { definePartyTrace, isAboutParty, KEPT } from "../cases/party-traces.service.ts";
import { partyOf, readableFor, type Recipient } from "../visibility/for-party.service.ts";
import {
  type GuardedItem,
  onlyReadable,
  readableByParty,
  type PartyItems,
  staffReader,
} from "../visibility/visibility.service.ts";
import { type FileDoc, FileModel } from "./files.model.ts";

definePartyTrace(KEPT, async ({ ownerId }, of) => Boolean(await FileModel.exists({ ownerId, ...isAboutParty(of) })));

/** What the rules ask of a file before a party gets it. */
export const readableOf = ({ visibility, createdAt, changedAt }: FileDoc): Readable => ({
  visibility,
  since: createdAt,
  changedAt,
});

/** The case that each of these files is of. */
export async function casesOfFiles(
  ownerId: string,
  docs: readonly Pick<FileDoc, "caseId">[],
): Promise<(doc: Pick<FileDoc, "caseId">) => Case | null> {
  const caseIds = new Set(docs.flatMap(({ caseId }) => caseId ?? []));
  const cases = await findVisibleCases(systemScope(ownerId), [...caseIds]);
  return ({ caseId }) => cases.find(({ id }) => id === caseId) ?? null;
}

/** Who is a party of it; of no case, nobody. */
export async function partiesOfFiles(
  ownerId: string,
  docs: readonly Pick<FileDoc, "caseId">[],
): Promise<(doc: Pick<FileDoc, "caseId">) => Case["parties"]> {
  const caseOf = await casesOfFiles(ownerId, docs);
  return (doc) => caseOf(doc)?.parties ?? [];
}

/** Which of these parties may have it; null for the client of a file of no case, who may. */
export const readerIdsOf = (doc: FileDoc, parties: Case["parties"]): string[] | null =>
  doc.caseId === null && doc.visibility.scope === "shared"
    ? null
    : parties.filter((party) => mayPartyRead(readableOf(doc), party)).map(({ partyId }) => partyId);

/** These files of a case by their ids, as far as this person may read them. */
export async function papersIn(scope: Scope, theCase: Case, fileIds: readonly string[]): Promise<Map<string, FileDoc>> {
  const among = mongoose.trusted({ $in: [...fileIds] });
  const docs = await FileModel.find({ ownerId: scope.ownerId, caseId: theCase.id, deletedAt: null, _id: among }).lean();
  return new Map(onlyReadable(staffReader(scope, theCase), docs).map((doc) => [doc._id, doc]));
}

/** Who of these parties may not have it. */
export const unreadableBy = (doc: FileDoc, parties: Case["parties"]): Case["parties"] =>
  parties.filter((party) => !mayPartyRead(readableOf(doc), party));

/** What these files of a case are called, as far as this party may read them. */
export async function namesForParty(
  { ownerId }: Scope,
  { theCase, partyId }: Recipient & { theCase: Case },
  fileIds: readonly string[],
): Promise<Map<string, string>> {
  if (fileIds.length === 0) return new Map();
  const among = mongoose.trusted({ $in: [...fileIds] });
  const docs = await FileModel.find({ ownerId, caseId: theCase.id, deletedAt: null, _id: among }).lean();
  const reader = partyOf({ theCase, partyId });
  return new Map(docs.filter((doc) => mayPartyRead(readableOf(doc), reader)).map(({ _id, name }) => [_id, name]));
}

/** Whether it may not go to everybody: what not even its party reads goes nowhere. */
export const isKeptBack = (doc: FileDoc): boolean => isKeptInside(doc) || doc.visibility.scope !== "shared";

/** The files of a case that this party may read. */
export async function partyFiles(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const to = { theCase, partyId };
  const docs = await FileModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    deletedAt: null,
    ...readableByParty(partyOf(to), "file"),
  })
    .sort({ createdAt: -1 })
    .limit(ASKED_MAX)
    .lean();
  const items = docs.map(({ _id, name, createdAt, changedAt, visibility }): GuardedItem => ({
    kind: "file",
    id: _id,
    title: name,
    detail: "",
    at: createdAt.toISOString(),
    since: createdAt,
    changedAt,
    visibility,
  }));
  return readableFor(to, items);
}
