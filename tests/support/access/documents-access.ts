import { newId } from "@app/server/core/ids";
import { EMPTY_DOCUMENT } from "@app/shared/document-content";
import { Readable } from "node:stream";
import { addDocumentPicture } from "@app/server/features/documents/document-pictures";
import { setLogo } from "@app/server/features/letterheads/letterheads.service";
import { scopeOf, type TestPractice } from "../server/people.ts";
import type { Door } from "./door.ts";
import { doc, para } from "../documents/content.ts";
import { aPng } from "../documents/picture.ts";

const OF_PRACTICE = { kind: "practice", partyId: null } as const;
const READ = { access: "subscribed", permission: "clients.read" } as const;
const WRITTEN = { access: "subscribed", permission: ["clients.read", "documents.manage"] } as const;
const MANAGED = { access: "subscribed", permission: "documents.manage" } as const;

/** The procedures of what is written in the editor. */
export const DOCUMENTS_ACCESS: Record<string, Door> = {
  "documentTemplates.list": { ...MANAGED, input: () => ({ page: 1, search: "", isArchived: false }), stranger: "own" },
  "documentTemplates.get": { ...MANAGED, input: ({ textId }) => ({ id: textId }), stranger: "missing" },
  "documentTemplates.create": {
    ...MANAGED,
    input: () => ({ id: newId(), name: "Letter", kind: "letter" }),
    stranger: "own",
  },
  "documentTemplates.copy": {
    ...MANAGED,
    input: ({ textId }) => ({ id: newId(), templateId: textId }),
    stranger: "missing",
  },
  "documentTemplates.save": {
    ...MANAGED,
    input: ({ textId }) => ({ id: textId, version: 1, name: "Changed", content: EMPTY_DOCUMENT }),
    stranger: "missing",
  },
  "documentTemplates.rename": {
    ...MANAGED,
    input: ({ renamedTextId }) => ({ id: renamedTextId, version: 0, name: "Changed" }),
    stranger: "missing",
  },
  "documentTemplates.setStatus": {
    ...MANAGED,
    input: ({ textId }) => ({ id: textId, isArchived: false }),
    stranger: "missing",
  },
  "documentTemplates.versions": {
    ...MANAGED,
    input: ({ textId }) => ({ id: textId, page: 1 }),
    stranger: "missing",
  },
  "documentTemplates.version": {
    ...MANAGED,
    input: ({ textId }) => ({ id: textId, version: 0 }),
    stranger: "missing",
  },
  "documentTemplates.attend": {
    ...MANAGED,
    input: ({ textId }) => ({ id: textId, isWriting: false }),
    stranger: "missing",
  },
  "courtPacks.preview": {
    ...READ,
    permission: ["clients.read", "documents.manage"],
    input: ({ caseId, partyId }) => ({ caseId, partyId }),
    stranger: "missing",
  },
  "documents.open": { ...READ, input: ({ documentId }) => ({ id: documentId }), stranger: "missing" },
  "documents.list": { ...READ, input: ({ caseId }) => ({ caseId, page: 1 }), stranger: "missing" },
  "documents.create": {
    ...WRITTEN,
    input: ({ caseId, textId }) => ({
      id: newId(),
      caseId,
      templateId: textId,
      name: "Letter",
      addressee: OF_PRACTICE,
      privilege: "none",
    }),
    stranger: "missing",
  },
  "documents.copy": {
    ...WRITTEN,
    input: ({ documentId }) => ({ id: newId(), documentId }),
    stranger: "missing",
  },
  "documents.save": {
    ...WRITTEN,
    input: ({ documentId }) => ({ id: documentId, version: 1, name: "Changed", content: EMPTY_DOCUMENT }),
    stranger: "missing",
  },
  "documents.mark": {
    ...WRITTEN,
    input: ({ markedDocumentId }) => ({ id: markedDocumentId, version: 0, privilege: "confidential" }),
    stranger: "missing",
  },
  "documents.look": { ...WRITTEN, input: ({ documentId }) => ({ id: documentId }), stranger: "missing" },
  "documents.finish": {
    ...WRITTEN,
    input: ({ finishedDocumentId }) => ({ id: finishedDocumentId, version: 0 }),
    stranger: "missing",
  },
  "documents.recordApproval": {
    ...WRITTEN,
    input: ({ documentId, partyId }) => ({
      id: documentId,
      partyId,
      decision: "approved",
      on: "2026-01-05",
      how: "session",
      comment: "",
    }),
    stranger: "missing",
    // It is a draft of the practice’s own.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "documents.setRemoved": {
    ...WRITTEN,
    input: ({ documentId }) => ({ id: documentId, isRemoved: false }),
    stranger: "missing",
  },
  "documents.versions": { ...WRITTEN, input: ({ documentId }) => ({ id: documentId, page: 1 }), stranger: "missing" },
  "documents.version": {
    ...WRITTEN,
    input: ({ documentId }) => ({ id: documentId, version: 0 }),
    stranger: "missing",
  },
  "documents.attend": {
    ...WRITTEN,
    input: ({ documentId }) => ({ id: documentId, isWriting: false }),
    stranger: "missing",
  },
};

/** Of this case: one with an earlier version, which is 0, and two as they were made. */
export async function documentsOf(
  { api, ownerId }: TestPractice,
  { caseId, textId }: { caseId: string; textId: string },
) {
  const aDocument = () =>
    api.documents.create.mutate({
      id: newId(),
      caseId,
      templateId: textId,
      name: "Letter",
      addressee: OF_PRACTICE,
      privilege: "none",
    });
  const [{ id, name, content }, marked, finished] = [await aDocument(), await aDocument(), await aDocument()];
  await api.documents.save.mutate({ id, version: 0, name, content, isRestored: true });
  const [scope, png] = [scopeOf(ownerId), () => Readable.from([aPng()])];
  const picture = await addDocumentPicture(scope, png(), { id: newId(), textId: id, name: "plan.png" });
  const { logoId } = await setLogo(scope, png(), { id: newId(), name: "logo.png" });
  return {
    documentId: id,
    documentPictureId: picture.id,
    logoId: logoId ?? "",
    markedDocumentId: marked.id,
    finishedDocumentId: finished.id,
  };
}

/** A template with one earlier version, which is 0, and one without. */
export async function templatesOf({ api }: TestPractice, name: string) {
  const aTemplate = () => api.documentTemplates.create.mutate({ id: newId(), name, kind: "letter" });
  const [{ id }, renamed] = [await aTemplate(), await aTemplate()];
  const content = doc(para(name));
  await api.documentTemplates.save.mutate({ id, version: 0, name, content, isRestored: true });
  return { textId: id, renamedTextId: renamed.id };
}
