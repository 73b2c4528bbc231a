import type { Case } from "@app/shared/cases";
import { DOCUMENT_RULES, usualPrivilege } from "@app/shared/document-kinds";
import { missingIn } from "@app/shared/document-walk";
import type { Addressee } from "@app/shared/documents";
import { untoldIn } from "@app/shared/told-parties";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { createDocument } from "@app/server/features/documents/documents.service";
import { finishDocument } from "@app/server/features/documents/finish-document";
import { listTemplates } from "@app/server/features/documents/templates.service";

/** Each template in use: what says all that it has to is finished, and the others wait for somebody's words. */
export async function demoDocuments(scope: Scope, cases: readonly Case[]): Promise<void> {
  const theCase = await mediatedAmong(scope, cases);
  if (!theCase) return;
  const { items } = await listTemplates(scope, { page: 1, search: "", isArchived: false, isWritten: false });
  for (const { id: templateId, name, kind } of items) {
    const document = await createDocument(scope, {
      caseId: theCase.id,
      templateId,
      name,
      addressee: addresseeIn(theCase, DOCUMENT_RULES[kind].addressees.includes("joint")),
      privilege: usualPrivilege(kind),
    });
    if (missingIn(document.content).length === 0) await finishDocument(scope, document);
  }
}

/** One whose people know of each other. */
async function mediatedAmong(scope: Scope, cases: readonly Case[]): Promise<Case | null> {
  for (const { id } of cases) {
    const theCase = await getCase(scope, id);
    if (theCase.status === "in_mediation" && untoldIn(theCase) === null) return theCase;
  }
  return null;
}

const addresseeIn = ({ parties }: Case, isJoint: boolean): Addressee =>
  isJoint ? { kind: "joint", partyId: null } : { kind: "party", partyId: parties[0]?.partyId ?? "" };
