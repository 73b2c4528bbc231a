// The files that finished documents are: how each is marked follows from its document, whatever its file says.
import type { Confidences } from "@app/shared/confidences";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { DocumentApproval } from "@app/shared/documents";
import type { Privilege } from "@app/shared/privileges";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { agreedIn } from "./agreement-choice.ts";
import { DocumentModel } from "./documents.model.ts";

export interface DocumentOfFile {
  kind: DocumentKind;
  privilege: Privilege;
  isRemoved: boolean;
  /** A newer one took its place. */
  isSuperseded: boolean;
  /** When its words were last changed. */
  savedAt: Date;
  /** What each participant said of it last. */
  approvals: Pick<DocumentApproval, "partyId" | "decision">[];
}

/** What the agreement to mediate that this file is says of confidences; null where it cannot be told. */
export async function confidencesOfFile({ ownerId }: Scope, fileId: string): Promise<Confidences | null> {
  const kind = "agreement_to_mediate" as const;
  const doc = await DocumentModel.findOne({ ownerId, fileId, kind }, { content: 1 }).lean();
  return doc && agreedIn(doc.content);
}

/** By the id of the file. */
export async function documentsOfFiles({ ownerId }: Scope, caseId: string): Promise<Map<string, DocumentOfFile>> {
  const finished = { ownerId, caseId, status: "finished" as const, fileId: mongoose.trusted({ $ne: null }) };
  const fields = {
    kind: 1,
    privilege: 1,
    fileId: 1,
    deletedAt: 1,
    supersededById: 1,
    savedAt: 1,
    approvals: 1,
  } as const;
  const docs = await DocumentModel.find(finished, fields).lean();
  return new Map(
    docs.map(({ fileId, kind, privilege, deletedAt, supersededById, savedAt, approvals }) => [
      fileId ?? "",
      {
        kind,
        privilege,
        isRemoved: deletedAt !== null,
        isSuperseded: Boolean(supersededById),
        savedAt,
        approvals: approvals ?? [],
      },
    ]),
  );
}
