// A form for enquiries: what was answered becomes a lead.
import { isSignature, type Answers, type AnswerValue, answerTo, partOf } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { AGREED } from "@app/shared/form-limits";
import { LEAD_TARGETS, type LeadTarget } from "@app/shared/form-targets";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { partsOfName } from "@app/shared/names";
import { becomeLead, namesAsGiven, type SaidOutside } from "../leads/lead-capture.service.ts";
import { type SubmissionContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Said = Pick<SubmissionContent, "answers" | "attribution">;

/** Makes the lead, once, in the transaction that takes the answers in, or that finds that they are no spam. */
export async function leadOfAnswers(
  { ownerId, _id, leadId }: Pick<SubmissionDoc, "ownerId" | "_id" | "leadId">,
  content: FormContent,
  said: Said,
): Promise<void> {
  if (leadId !== null) return;
  const made = await becomeLead(ownerId, saidInForm(content, said));
  await SubmissionModel.updateOne({ ownerId, _id, leadId: null }, { $set: { leadId: made.id } });
}

/** What does not fit a field of a lead stays among the answers, where the owner reads all of them. */
function saidInForm(content: FormContent, { answers, attribution = NO_ATTRIBUTION }: Said): SaidOutside {
  const said = saidIn(content, answers);
  const text = (target: LeadTarget) => textOf(said.get(target));
  const other = {
    ...nameOf(said.get("lead.otherName")),
    email: text("lead.otherEmail"),
    phone: text("lead.otherPhone"),
    dateOfBirth: "" as const,
  };
  return {
    channel: "form",
    ...nameOf(said.get("lead.name")),
    email: text("lead.email"),
    phone: text("lead.phone"),
    other: Object.values(other).some(Boolean) ? other : null,
    summary: text("lead.summary"),
    attribution,
    consent: consentIn(content, answers),
  };
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
