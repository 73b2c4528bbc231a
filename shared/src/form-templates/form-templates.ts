// What a form can begin with. Each is a copy from then on: what a practice changes is its own.
import type { FormContent } from "../form-content.ts";
import type { FormKind } from "../form-kinds.ts";
import { ENQUIRY } from "./enquiry.ts";
import { FEEDBACK } from "./feedback.ts";
import { FINANCIAL_DISCLOSURE } from "./financial-disclosure.ts";
import { MIAM_INTAKE } from "./miam-intake.ts";
import { PARENTING } from "./parenting.ts";
import type { FormTemplate } from "./parts.ts";
import { SAFETY_SCREENING } from "./safety-screening.ts";
import { WORKPLACE_INTAKE } from "./workplace-intake.ts";

export const FORM_TEMPLATES: readonly FormTemplate[] = [
  MIAM_INTAKE,
  SAFETY_SCREENING,
  FINANCIAL_DISCLOSURE,
  PARENTING,
  WORKPLACE_INTAKE,
  FEEDBACK,
  ENQUIRY,
];

/** A template as a form of this practice begins with it. */
export const contentOf = ({ content }: FormTemplate, currency: string): FormContent => ({
  ...content,
  currency,
});

/** A form with one empty page. */
export const blankContent = (title: string, currency: string): FormContent => ({
  title,
  currency,
  pages: [{ id: "page_1", title: "", text: "", visibleIf: null, fields: [], jumps: [] }],
  thanks: { title: "Thank you", text: "" },
});

/** Which kinds of forms a practice makes here: lead forms are made beside the leads. */
export const templatesOf = (isLead: boolean): FormTemplate[] =>
  FORM_TEMPLATES.filter(({ kind }) => (kind === "lead") === isLead);

export const kindOf = (isLead: boolean): FormKind => (isLead ? "lead" : "questionnaire");
