import { Readable } from "node:stream";
import type { Case, Party } from "@app/shared/cases";
import type { DocumentBlock } from "@app/shared/document-content";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { DOCUMENT_RULES, usualPrivilege } from "@app/shared/document-kinds";
import { missingIn } from "@app/shared/document-walk";
import type { Addressee, WrittenDocument } from "@app/shared/documents";
import { untoldIn } from "@app/shared/told-parties";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { partyIn } from "@app/server/features/cases/case-parties.service";
import { findCaseDoc, getCase } from "@app/server/features/cases/cases.service";
import { addDocumentPicture } from "@app/server/features/documents/document-pictures";
import { createDocument, saveDocument } from "@app/server/features/documents/documents.service";
import { finishDocument } from "@app/server/features/documents/finish-document";
import { whyUnwritten } from "@app/server/features/ladders/invitation-gates.service";
import { listTemplates } from "@app/server/features/documents/templates.service";
import { setLogo } from "@app/server/features/letterheads/letterheads.service";
import { demoFortnight, demoLogo } from "./demo-pictures.ts";

/** Each template in use: what says all that it has to is finished, and the others wait for somebody's words. */
export async function demoDocuments(scope: Scope, cases: readonly Case[]): Promise<void> {
  const theCase = await mediatedAmong(scope, cases);
  if (!theCase) return;
  await setLogo(scope, Readable.from([demoLogo()]), { id: newId(), name: "logo.png" });
  const { items } = await listTemplates(scope, { page: 1, search: "", isArchived: false, isWritten: true });
  for (const { id: templateId, name, kind } of items) {
    const place = kind === "invitation" ? await invitedAmong(scope, cases) : inMediation(theCase, kind);
    if (!place) continue;
    const privilege = usualPrivilege(kind);
    const document = await createDocument(scope, { ...place, templateId, name, privilege, confidences: null });
    if (kind === "mou") await withPicture(scope, document);
    else if (missingIn(document.content).length === 0) await finishDocument(scope, { ...document, consents: [] });
  }
}

/** With a picture below its first heading. */
async function withPicture(scope: Scope, { id, version, name, content }: WrittenDocument): Promise<void> {
  const upload = { id: newId(), textId: id, name: "fortnight.png" };
  const picture = await addDocumentPicture(scope, Readable.from([demoFortnight()]), upload);
  const block: DocumentBlock = {
    type: "image",
    attrs: {
      pictureId: picture.id,
      alt: "A fortnight: the children are with one parent on seven days, and with the other on seven.",
      isDecorative: false,
      widthPercent: 50,
      align: "center",
    },
  };
  const [first, ...rest] = content.content;
  const blocks = first ? [first, block, ...rest] : [block];
  await saveDocument(scope, { id, version, name, content: { type: "doc", content: blocks }, isRestored: false });
}

/** One whose people know of each other. */
async function mediatedAmong(scope: Scope, cases: readonly Case[]): Promise<Case | null> {
  for (const { id } of cases) {
    const theCase = await getCase(scope, id);
    if (theCase.status === "in_mediation" && untoldIn(theCase) === null) return theCase;
  }
  return null;
}

type Place = { caseId: string; addressee: Addressee };

/** Where people mediate, everybody has answered. */
function inMediation({ id: caseId, parties }: Case, kind: DocumentKind): Place | null {
  if (kind === "no_response") return null;
  const isJoint = DOCUMENT_RULES[kind].addressees.includes("joint");
  const addressee: Addressee = isJoint ? { kind: "joint", partyId: null } : toParty(parties[0]);
  return { caseId, addressee };
}

async function invitedAmong(scope: Scope, cases: readonly Case[]): Promise<Place | null> {
  for (const { id: caseId } of cases) {
    const theCase = await getCase(scope, caseId);
    const stored = await findCaseDoc(scope, caseId);
    for (const { partyId, status } of theCase.parties)
      if (status === "invited" && (await whyUnwritten(scope, stored, partyIn(stored, partyId))).length === 0)
        return { caseId, addressee: { kind: "party", partyId } };
  }
  return null;
}

const toParty = (party: Party | undefined): Addressee => ({ kind: "party", partyId: party?.partyId ?? "" });
