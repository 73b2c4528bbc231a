// The files that finished documents are: how each is marked follows from its document, whatever its file says.
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { Privilege } from "@app/shared/privileges";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { DocumentModel } from "./documents.model.ts";

export interface DocumentOfFile {
  kind: DocumentKind;
  privilege: Privilege;
  isRemoved: boolean;
}

/** By the id of the file. */
export async function documentsOfFiles({ ownerId }: Scope, caseId: string): Promise<Map<string, DocumentOfFile>> {
  const finished = { ownerId, caseId, status: "finished" as const, fileId: mongoose.trusted({ $ne: null }) };
  const docs = await DocumentModel.find(finished, { kind: 1, privilege: 1, fileId: 1, deletedAt: 1 }).lean();
  return new Map(
    docs.map(({ fileId, kind, privilege, deletedAt }) => [
      fileId ?? "",
      { kind, privilege, isRemoved: deletedAt !== null },
    ]),
  );
}
