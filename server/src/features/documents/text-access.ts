// A template or a document, by its id, for what hangs on either: its pictures, and what is taken over from Word.
import { can } from "@app/shared/access";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { readableDocument } from "./document-access.ts";
import { assertDraft } from "./documents.service.ts";
import { TemplateModel } from "./templates.model.ts";
import { assertNotArchived } from "./templates.service.ts";

/** NOT_FOUND where this person may not read it. */
export async function assertReadableText(scope: Scope, textId: string): Promise<void> {
  if (!(await findTemplate(scope, textId))) await readableDocument(scope, textId);
}

/** The same, and PRECONDITION_FAILED where it stays as it is. */
export async function assertOpenText(scope: Scope, textId: string): Promise<void> {
  const template = await findTemplate(scope, textId);
  if (template) assertNotArchived(template);
  else assertDraft((await readableDocument(scope, textId)).doc);
}

const findTemplate = async (scope: Scope, textId: string) =>
  can(scope, "documents.manage")
    ? TemplateModel.findOne({ ownerId: scope.ownerId, _id: textId }, { isArchived: 1 }).lean()
    : null;
