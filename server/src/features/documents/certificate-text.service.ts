// How the certificates of a practice read: its own words around what is certified.
import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { resolveDocument, type DocumentData } from "@app/shared/document-merge";
import { fieldsIn } from "@app/shared/document-walk";
import { wrongState } from "../../core/errors.ts";
import { CERTIFICATE_KEY, CERTIFICATE_STARTER } from "./starters/starter-documents.ts";
import { TemplateModel } from "./templates.model.ts";

const STATEMENT = "each.statement";

/**
 * The text of one certificate, of the practice's template and these values. Throws PRECONDITION_FAILED where the template
 * leaves out anything of what has to be certified, because whatever is given here stands in it, or asks for more.
 */
export async function certificateText(ownerId: string, data: DocumentData): Promise<DocumentContent> {
  const own = await TemplateModel.findOne({ ownerId, starterKey: CERTIFICATE_KEY, isArchived: false }).lean();
  const template = own ? documentContentSchema.parse(own.content) : CERTIFICATE_STARTER.content;
  const { content, missing } = resolveDocument(template, data);
  if (missing.length > 0)
    throw wrongState(
      `The template for certificates asks for what this one does not have: ${missing.map(fieldName).join(", ")}. The owner puts it into a part that goes where there is none, under Documents.`,
    );
  const said = fieldsIn(content).map(({ attrs }) => `${attrs.path} ${attrs.said}`);
  const statements = (data.repeats["certificate.statements"] ?? []).map(
    (each) => [STATEMENT, each[STATEMENT]] as const,
  );
  const asked = [...Object.entries(data.values), ...statements];
  const left = asked.filter(([path, value]) => value && !said.includes(`${path} ${value}`));
  if (left.length > 0)
    throw wrongState(
      `The template for certificates leaves this out: ${[...new Set(left.map(([path]) => fieldName(path)))].join(", ")}. The owner puts it back under Documents.`,
    );
  return content;
}
