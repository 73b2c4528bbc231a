// What of a client or of a lead an answer may propose to change. Free of zod.
import type { FieldType } from "./form-limits.ts";

export const CLIENT_TARGETS = [
  "client.name",
  "client.title",
  "client.firstName",
  "client.lastName",
  "client.knownAs",
  "client.organisation",
  "client.dateOfBirth",
  "client.email",
  "client.mobile",
  "client.address",
  "client.needs",
  "client.mayEmail",
  "client.mayText",
  "client.mayPhone",
  "client.mayLeaveVoicemail",
  "client.mayPost",
  "client.safeTimes",
  "client.codeWord",
] as const;
export type ClientTarget = (typeof CLIENT_TARGETS)[number];

export const LEAD_TARGETS = [
  "lead.name",
  "lead.email",
  "lead.phone",
  "lead.mayPhone",
  "lead.safeTimes",
  "lead.domain",
  "lead.summary",
  "lead.otherName",
  "lead.otherEmail",
  "lead.otherPhone",
] as const;
export type LeadTarget = (typeof LEAD_TARGETS)[number];

export const ANSWER_TARGETS = [...CLIENT_TARGETS, ...LEAD_TARGETS] as const;
export type AnswerTarget = (typeof ANSWER_TARGETS)[number];

interface TargetFacts {
  name: string;
  /** Types of questions whose answers fit. */
  types: readonly FieldType[];
}

const LINE = ["short_text", "hidden"] as const;
const MAY = ["yes_no"] as const;

export const TARGETS = {
  "client.name": { name: "Client: name", types: ["name"] },
  "client.title": { name: "Client: title", types: LINE },
  "client.firstName": { name: "Client: first name", types: LINE },
  "client.lastName": { name: "Client: last name", types: LINE },
  "client.knownAs": { name: "Client: known as", types: LINE },
  "client.organisation": { name: "Client: organisation", types: LINE },
  "client.dateOfBirth": { name: "Client: date of birth", types: ["birth_date", "date"] },
  "client.email": { name: "Client: email", types: ["email"] },
  "client.mobile": { name: "Client: mobile", types: ["phone"] },
  "client.address": { name: "Client: address", types: ["address"] },
  "client.needs": { name: "Client: needs", types: ["short_text", "long_text"] },
  "client.mayEmail": { name: "Client: email allowed", types: MAY },
  "client.mayText": { name: "Client: text messages allowed", types: MAY },
  "client.mayPhone": { name: "Client: phone calls allowed", types: MAY },
  "client.mayLeaveVoicemail": { name: "Client: voicemail allowed", types: MAY },
  "client.mayPost": { name: "Client: post allowed", types: MAY },
  "client.safeTimes": { name: "Client: safe times", types: LINE },
  "client.codeWord": { name: "Client: code word", types: LINE },
  "lead.name": { name: "Enquirer: name", types: ["name", "short_text"] },
  "lead.email": { name: "Enquirer: email", types: ["email"] },
  "lead.phone": { name: "Enquirer: phone", types: ["phone"] },
  "lead.mayPhone": { name: "Enquirer: phone calls allowed", types: MAY },
  "lead.safeTimes": { name: "Enquirer: safe times", types: LINE },
  "lead.domain": { name: "Enquiry: kind of case", types: ["one_of"] },
  "lead.summary": { name: "Enquiry: what it is about", types: ["short_text", "long_text", "one_of"] },
  "lead.otherName": { name: "Other participant: name", types: ["name", "short_text"] },
  "lead.otherEmail": { name: "Other participant: email", types: ["email"] },
  "lead.otherPhone": { name: "Other participant: phone", types: ["phone"] },
} as const satisfies Record<AnswerTarget, TargetFacts>;

export const fitsTarget = (target: AnswerTarget, type: FieldType): boolean => {
  const { types }: TargetFacts = TARGETS[target];
  return types.includes(type);
};

/** What a lead cannot be without. */
export const NEEDED_LEAD_TARGETS = ["lead.name", "lead.email"] as const satisfies readonly LeadTarget[];
