import {
  copyDocumentSchema,
  createDocumentSchema,
  documentListSchema,
  documentLookSchema,
  documentSchema,
  finishDocumentSchema,
  listDocumentsSchema,
  markDocumentSchema,
  recordApprovalSchema,
  saveDocumentSchema,
  setDocumentRemovedSchema,
} from "@app/shared/documents";
import {
  attendantsSchema,
  attendTextSchema,
  getTextVersionSchema,
  listTextVersionsSchema,
  textVersionListSchema,
  wholeTextVersionSchema,
} from "@app/shared/document-templates";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { openTextSchema } from "@app/shared/open-text";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { recordApproval } from "./approvals.ts";
import * as documents from "./documents.service.ts";
import { finishDocument, lookAtDraft } from "./finish-document.ts";
import "./picture-sweep.ts";
import { openText } from "./open-text.ts";
import "./struck-sessions.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "documents.manage");

export const documentsRouter = router({
  list: reading.input(listDocumentsSchema).output(documentListSchema).query(calling(documents.listDocuments)),
  open: reading.input(byIdSchema).output(openTextSchema).query(callingById(openText)),
  create: writing
    .input(createDocumentSchema.safeExtend(ofNewThing))
    .output(documentSchema)
    .mutation(creating(documents.createDocument, documents.getDocument)),
  copy: writing
    .input(copyDocumentSchema.safeExtend(ofNewThing))
    .output(documentSchema)
    .mutation(creating(documents.copyDocument, documents.getDocument)),
  save: writing.input(saveDocumentSchema).output(documentSchema).mutation(calling(documents.saveDocument)),
  mark: writing.input(markDocumentSchema).output(documentSchema).mutation(calling(documents.markDocument)),
  look: writing.input(byIdSchema).output(documentLookSchema).query(callingById(lookAtDraft)),
  finish: writing.input(finishDocumentSchema).output(documentSchema).mutation(calling(finishDocument)),
  setRemoved: writing
    .input(setDocumentRemovedSchema)
    .output(documentSchema)
    .mutation(calling(documents.setDocumentRemoved)),
  recordApproval: writing.input(recordApprovalSchema).output(documentSchema).mutation(calling(recordApproval)),
  versions: writing
    .input(listTextVersionsSchema)
    .output(textVersionListSchema)
    .query(calling(documents.listDocumentVersions)),
  version: writing
    .input(getTextVersionSchema)
    .output(wholeTextVersionSchema)
    .query(calling(documents.getDocumentVersion)),
  attend: writing.input(attendTextSchema).output(attendantsSchema).mutation(calling(documents.attendDocument)),
});
