// A form for enquiries: what was answered becomes a lead.
import { isSignature, type Answers, type AnswerValue, answerTo, partOf } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { AGREED } from "@app/shared/form-limits";
import { LEAD_TARGETS, type LeadTarget } from "@app/shared/form-targets";
import {
  type Attribution,
  type CapturedLead,
  capturedLeadSchema,
  LEAD_SUMMARY_MAX_LENGTH,
  NO_ATTRIBUTION,
} from "@app/shared/leads";
import { partsOfName } from "@app/shared/names";
import { mediatorTypeSchema } from "@app/shared/users";
import { captureLead, namesAsGiven } from "../leads/lead-capture.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { type SubmissionContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Domain = CapturedLead["lead"]["domain"];

/** Makes the lead, once, in the transaction that takes the answers in, or that finds that they are no spam. */
export async function becomeLead(
  { ownerId, _id, leadId }: Pick<SubmissionDoc, "ownerId" | "_id" | "leadId">,
  content: FormContent,
  { answers, attribution = NO_ATTRIBUTION }: Pick<SubmissionContent, "answers" | "attribution">,
): Promise<void> {
  if (leadId !== null) return;
  const owner = await findIdentityUser(ownerId);
  const domain = mediatorTypeSchema.parse(owner?.mediator_type);
  const made = await captureLead(ownerId, enquiryOf(content, { answers, attribution }, domain));
  await SubmissionModel.updateOne({ ownerId, _id, leadId: null }, { $set: { leadId: made.id } });
}

/** What does not fit a field of a lead stays among the answers, where the owner reads all of them. */
export function enquiryOf(
  content: FormContent,
  { answers, attribution }: { answers: Answers; attribution: Attribution },
  domain: Domain,
): CapturedLead {
  const said = saidIn(content, answers);
  const text = (target: LeadTarget) => textOf(said.get(target));
  const name = nameOf(said.get("lead.name"));
  const other = {
    ...nameOf(said.get("lead.otherName")),
    email: text("lead.otherEmail"),
    phone: text("lead.otherPhone"),
    dateOfBirth: "" as const,
  };
  return capturedLeadSchema.parse({
    channel: "form",
    attribution,
    consent: consentIn(content, answers),
    lead: {
      ...name,
      lastName: name.lastName || "Unnamed",
      email: text("lead.email"),
      phone: text("lead.phone"),
      dateOfBirth: "",
      organisation: "",
      other: Object.values(other).some(Boolean) ? other : null,
      domain,
      source: "website",
      campaign: "",
      summary: text("lead.summary").slice(0, LEAD_SUMMARY_MAX_LENGTH),
      reachBy: "",
      reachNote: "",
      nextStep: "",
      nextOn: "",
    },
  });
}

function saidIn({ pages }: FormContent, answers: Answers): ReadonlyMap<LeadTarget, AnswerValue> {
  const said = pages.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const target = "mapTo" in field ? LEAD_TARGETS.find((one) => one === field.mapTo) : undefined;
      const answer = answerTo(answers, field.id);
      if (target === undefined || answer === undefined) return [];
      return [[target, field.type === "one_of" ? labelOf(field.options, answer) : answer] as const];
    }),
  );
  return new Map(said);
}

const labelOf = (options: readonly { value: string; label: string }[], answer: AnswerValue): AnswerValue =>
  options.find(({ value }) => value === answer)?.label ?? answer;

const textOf = (answer: AnswerValue | undefined): string => (typeof answer === "string" ? answer : "");

function nameOf(answer: AnswerValue | undefined): { firstName: string; lastName: string } {
  if (answer !== undefined && typeof answer === "object" && !Array.isArray(answer) && !isSignature(answer))
    return namesAsGiven({ firstName: partOf(answer, "first"), lastName: partOf(answer, "last") });
  return namesAsGiven(partsOfName(textOf(answer)));
}

const CONSENT_MAX_LENGTH = 1000;

/** The words that were agreed to. */
const consentIn = ({ pages }: FormContent, answers: Answers): string =>
  pages
    .flatMap(({ fields }) => fields)
    .flatMap((field) => (field.type === "consent" && answerTo(answers, field.id) === AGREED ? field.text : []))
    .join(" ")
    .replace(/\s+/g, " ")
    .slice(0, CONSENT_MAX_LENGTH);
