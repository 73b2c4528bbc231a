// A template or a document, by its id, for what hangs on either: its pictures, and what is taken over from Word.
import { can } from "@app/shared/access";
import type { Scope } from "../../core/trpc.ts";
import { readableDocument } from "./document-access.ts";
import { assertDraft } from "./documents.service.ts";
import { type TemplateDoc, TemplateModel } from "./templates.model.ts";
import { assertNotArchived } from "./templates.service.ts";

/** NOT_FOUND where this person may not read it. */
export async function assertReadableText(scope: Scope, textId: string): Promise<void> {
  if (!(await findTemplateOf(scope, textId))) await readableDocument(scope, textId);
}

/** The same, and PRECONDITION_FAILED where it stays as it is. */
export async function assertOpenText(scope: Scope, textId: string): Promise<void> {
  const template = await findTemplateOf(scope, textId);
  if (template) assertNotArchived(template);
  else assertDraft((await readableDocument(scope, textId)).doc);
}

/** Null for whoever may not see templates, and where it is none. */
export const findTemplateOf = async (scope: Scope, textId: string): Promise<TemplateDoc | null> =>
  can(scope, "documents.manage") ? TemplateModel.findOne({ ownerId: scope.ownerId, _id: textId }).lean() : null;
