// How the certificates of a practice read: its own words around what is certified.
import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { resolveDocument, type DocumentData } from "@app/shared/document-merge";
import { fieldsIn, linesOf } from "@app/shared/document-walk";
import { badField, wrongState } from "../../core/errors.ts";
import { CERTIFICATE_KEY, CERTIFICATE_STARTER } from "./starters/starter-documents.ts";
import { TemplateModel } from "./templates.model.ts";

const STATEMENT = "each.statement";
/** A mediator certifies attendance, never that somebody is exempt: that is claimed before the court (PD3A paragraph 5). */
const EXEMPT = /\bexempt/i;

async function templateOf(ownerId: string): Promise<DocumentContent> {
  const own = await TemplateModel.findOne({ ownerId, starterKey: CERTIFICATE_KEY, isArchived: false }).lean();
  return own ? documentContentSchema.parse(own.content) : CERTIFICATE_STARTER.content;
}

/** What the practice's template says beyond what it came with: whoever signs a certificate answers for that too. */
export async function ownCertificateWords(ownerId: string): Promise<string[]> {
  const given = new Set(linesOf(CERTIFICATE_STARTER.content, fieldName));
  const lines = linesOf(await templateOf(ownerId), fieldName);
  return lines.filter((line) => line.trim() !== "" && !given.has(line));
}

/** BAD_REQUEST where a text of certificates says what no mediator certifies, or names anybody but its person. */
export function assertCertificateWords(content: DocumentContent): void {
  const foreign = fieldsIn(content)
    .map(({ attrs: { path } }) => path)
    .filter((path) => !path.startsWith("certificate.") && !path.startsWith("practice.") && path !== STATEMENT);
  if (foreign.length > 0)
    throw badField("content", `A certificate says nothing of ${fieldName(foreign[0] ?? "")}. Take the field out.`);
  if (EXEMPT.test(linesOf(content).join(" ")))
    throw badField(
      "content",
      "A certificate says that somebody attended, never that they are exempt: that is claimed before the court. Take the words out.",
    );
}

/**
 * The text of one certificate, of the practice's template and these values. Throws PRECONDITION_FAILED where the template
 * leaves out anything of what has to be certified, because whatever is given here stands in it, or asks for more.
 */
export async function certificateText(ownerId: string, data: DocumentData): Promise<DocumentContent> {
  const template = await templateOf(ownerId);
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
