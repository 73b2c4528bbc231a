// A form for enquiries: what was answered becomes a lead.
import { isSignature, type Answers, type AnswerValue, answerTo, partOf } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { AGREED } from "@app/shared/form-limits";
import { evaluateForm } from "@app/shared/form-evaluation";
import { isForPractice } from "@app/shared/form-readers";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { LEAD_TARGETS, type LeadTarget } from "@app/shared/form-targets";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { NAME_MAX_LENGTH, partsOfName } from "@app/shared/names";
import { becomeLead, namesAsGiven, type SaidOutside } from "../leads/lead-capture.service.ts";
import { type SubmissionContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

type Said = Pick<SubmissionContent, "answers" | "attribution">;

/** Makes the lead, once, in the transaction that takes the answers in, or that finds that they are no spam. */
export async function leadOfAnswers(
  { ownerId, _id, formId, leadId }: Pick<SubmissionDoc, "ownerId" | "_id" | "formId" | "leadId">,
  content: FormContent,
  said: Said,
): Promise<void> {
  if (leadId !== null) return;
  const made = await becomeLead(ownerId, { ...saidInForm(content, said), answers: { formId, submissionId: _id } });
  await SubmissionModel.updateOne({ ownerId, _id, leadId: null }, { $set: { leadId: made.id } });
}

/** What does not fit a field of a lead stays among the answers, where the owner reads all of them. */
function saidInForm(
  content: FormContent,
  { answers, attribution = NO_ATTRIBUTION }: Said,
): Omit<SaidOutside, "answers"> {
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
    domain: domainIn(content, answers),
    summary: [cutNameIn(said.get("lead.name")), text("lead.domain"), text("lead.summary")].filter(Boolean).join("\n"),
    reachBy: reachOf(said.get("lead.mayPhone")),
    ...safeTimesIn(content, text(SAFE_TIMES)),
    attribution,
    consent: consentIn(content, answers),
    flags: evaluateForm(content, answers).flags.map((flag) => flag.text),
  };
}

/** It goes on to the client, whom the practice reads: what only some may read of it stays among the answers. */
function safeTimesIn(content: FormContent, said: string): Pick<SaidOutside, "reachNote" | "isReachConfided"> {
  const asked = content.pages.flatMap(({ fields }) => fields).find((one) => "mapTo" in one && one.mapTo === SAFE_TIMES);
  const isConfided = said !== "" && !(asked && isForPractice(content, asked));
  return { reachNote: said && !isConfided ? `Safe to call: ${said}` : "", isReachConfided: isConfided };
}

const SAFE_TIMES: LeadTarget = "lead.safeTimes";

/** They gave an address to be answered at; whether they may be phoned too is theirs to say. */
function reachOf(mayPhone: AnswerValue | undefined): SaidOutside["reachBy"] {
  if (mayPhone === undefined) return "";
  return mayPhone === "yes" ? "email_phone" : "email";
}

/** The values of such a question begin with the kind of case: `family`, or `family_children`. */
function domainIn({ pages }: FormContent, answers: Answers): SaidOutside["domain"] {
  const asked = pages.flatMap(({ fields }) => fields).find((one) => "mapTo" in one && one.mapTo === "lead.domain");
  const value = asked ? textOf(answerTo(answers, asked.id)) : "";
  return CASE_DOMAINS.find((domain) => value === domain || value.startsWith(`${domain}_`)) ?? null;
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

/** What was longer than a name can be is said in full: nobody is looked for by half a name unawares. */
function cutNameIn(answer: AnswerValue | undefined): string {
  const [first, last] = [partOf(answer, "first").trim(), partOf(answer, "last").trim()];
  const isCut = [first, last].some((part) => part.length > NAME_MAX_LENGTH);
  return isCut ? `Their name was shortened. In full: ${[first, last].filter(Boolean).join(" ")}` : "";
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
