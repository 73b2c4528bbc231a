// The files that somebody finds: of a client, and by the words of their names.
import type { QueryFilter } from "mongoose";
import type { z } from "zod";
import type { filePageSchema, listFilesSchema, StoredFile } from "@app/shared/files";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import type { Scope } from "../../core/trpc.ts";
import { matchingTexts, type Typed } from "../../core/word-search.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { readableCasesOf } from "../cases/client-cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { mayRead, readableFilter, readableInCases, staffReader } from "../visibility/visibility.service.ts";
import { type FileDoc, FileModel, toFile } from "./files.model.ts";

const FOUND_AT_ONCE = 100;
const FOUND_MAX = 2000;

/** The files of a client and of the cases they are in, the newest first, as far as this person may read them. */
export async function listFiles(
  scope: Scope,
  { clientId, search, privilege, page }: z.output<typeof listFilesSchema>,
): Promise<z.infer<typeof filePageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  const cases = await readableCasesOf(scope, clientId);
  const { ownerId } = scope;
  const places: QueryFilter<FileDoc>[] = [
    { clientId, caseId: null, ...readableFilter(staffReader(scope, null)) },
    ...readableInCases(scope, cases),
  ];
  const filter: QueryFilter<FileDoc> = {
    ownerId,
    deletedAt: null,
    ...(privilege ? { "mark.privilege": privilege } : {}),
    $and: [{ $or: places }, matchingTexts({ text: search, spelling: "exact" })],
  };
  const [docs, total] = await Promise.all([
    FileModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    FileModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toFile), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** Files by the beginning of a word of their name, each checked by the guard of its case. */
export async function findFiles(scope: Scope, typed: Typed, limit: number): Promise<StoredFile[]> {
  const readable: FileDoc[] = [];
  // What this person may not read takes nobody's place.
  for (let from = 0; from < FOUND_MAX && readable.length < limit; from += FOUND_AT_ONCE) {
    const docs = await FileModel.find({ ownerId: scope.ownerId, deletedAt: null, ...matchingTexts(typed) })
      .sort({ createdAt: -1, _id: -1 })
      .skip(from)
      .limit(FOUND_AT_ONCE)
      .lean();
    readable.push(...(await onlyReadableFiles(scope, docs)));
    if (docs.length < FOUND_AT_ONCE) break;
  }
  return readable.slice(0, limit).map(toFile);
}

async function onlyReadableFiles(scope: Scope, docs: FileDoc[]): Promise<FileDoc[]> {
  const cases = await findVisibleCases(scope, [...new Set(docs.flatMap(({ caseId }) => caseId ?? []))]);
  return docs.filter((doc) => {
    const theCase = cases.find(({ id }) => id === doc.caseId) ?? null;
    if (doc.caseId ? !theCase : scope.isAssignedOnly) return false;
    return mayRead(staffReader(scope, theCase), doc.visibility);
  });
}
