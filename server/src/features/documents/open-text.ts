// One address shows a template or a document, whichever has this id.
import { can } from "@app/shared/access";
import type { OpenText } from "@app/shared/open-text";
import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getDocument } from "./documents.service.ts";
import { getTemplate } from "./templates.service.ts";

/** What of both this person may see; anything else is not there. */
export async function openText(scope: Scope, id: string): Promise<OpenText> {
  const template = can(scope, "documents.manage") ? await getTemplate(scope, id).catch(nothing) : null;
  if (template) return { of: "template", template };
  return { of: "document", document: await getDocument(scope, id) };
}

function nothing(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
