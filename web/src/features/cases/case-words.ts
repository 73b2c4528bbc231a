import type { CASE_DOMAINS } from "@app/shared/case-transitions";
import { ENDING_NAMES } from "@app/shared/case-states";
import type { ISSUE_KINDS, LEGAL_AID_OUTCOMES, Outcome } from "@app/shared/case-outcomes";
import type { CLOSING_DOCUMENTS } from "@app/shared/closing-documents";
import type { CASE_FORMATS, FUNDING_TYPES, ISSUE_SCOPES, PARTY_ROLES, REFERRAL_SOURCES } from "@app/shared/cases";
import type { INVITE_CHANNELS } from "@app/shared/ladders";

type Names<List extends readonly string[]> = Record<List[number], string>;

export const DOMAIN_NAMES: Names<typeof CASE_DOMAINS> = {
  family: "Family",
  workplace: "Workplace",
  civil: "Civil and commercial",
  community: "Community",
  other: "Other",
};

export const ISSUE_NAMES: Names<typeof ISSUE_SCOPES> = {
  all_issues: "All issues",
  property_finance: "Property and finance",
  child_only: "Children only",
  other: "Other",
};

export const FORMAT_NAMES: Names<typeof CASE_FORMATS> = {
  in_person: "In person",
  online: "Online",
  phone: "By phone",
  hybrid: "Online and in person",
  shuttle: "Shuttle, separate rooms",
};

export const ROLE_NAMES: Names<typeof PARTY_ROLES> = {
  initiator: "Asked for mediation",
  respondent: "Other participant",
  participant: "Takes part",
};

export const FUNDING_NAMES: Names<typeof FUNDING_TYPES> = {
  private: "Private",
  legal_aid: "Legal aid",
  voucher: "Voucher",
  employer: "Employer",
  grant: "Grant",
  pro_bono: "Pro bono",
};

export const SOURCE_NAMES: Names<typeof REFERRAL_SOURCES> = {
  self: "Found us themselves",
  solicitor: "Solicitor",
  court: "Court",
  gp: "Doctor",
  charity: "Charity",
  employer: "Employer",
  website: "Website",
  other: "Other",
};

export const OUTCOME_NAMES: Record<Outcome["code"], string> = {
  agreed_all: "Proposals reached on all issues",
  agreed_some: "Proposals reached on some issues",
  agreed_not_written: "Proposals reached, not written up",
  settled_before: "Settled before a session",
  settled_themselves: ENDING_NAMES.settled_themselves,
  reconciled: ENDING_NAMES.reconciled,
  not_agreed: "Ended without agreement",
};

export const ISSUE_KIND_NAMES: Names<typeof ISSUE_KINDS> = {
  property_finance: "Property and finance",
  children: "Children",
  other: "Something else",
};

export const ISSUE_RESULT_NAMES: Record<Outcome["issues"][number]["result"], string> = {
  agreed: "Proposals reached",
  partly: "Partly",
  not_agreed: "Not agreed",
};

export const CLOSING_DOCUMENT_NAMES: Names<typeof CLOSING_DOCUMENTS> = {
  financial_statement: "Open financial statement",
  memorandum: "Memorandum of understanding",
  parenting_plan: "Parenting plan",
};
export const LEGAL_AID_OUTCOME_NAMES: Names<typeof LEGAL_AID_OUTCOMES> = {
  S: "S: agreement on all issues",
  P: "P: property and finance only",
  C: "C: children only",
  B: "B: no agreement",
  A: "A: agreement, as in the older service; pays no proposal fee",
};

export const CHANNEL_NAMES: Names<typeof INVITE_CHANNELS> = {
  email: "Email",
  post: "Letter",
  phone: "Phone call",
  text: "Text message",
};

/** For a select: the values with their words. */
export const optionsOf = <Value extends string>(names: Record<Value, string>) =>
  Object.entries<string>(names).map(([value, label]) => ({ value, label }));

/** The same where nothing is chosen at first; once something is, nothing is no choice any more. */
export const choicesOf = <Value extends string>(names: Record<Value, string>, value: string) => [
  ...(value === "" ? [{ value: "", label: "Choose" }] : []),
  ...optionsOf(names),
];

/** The value among those of the list; the first where a browser made one up. */
export function pick<Value extends string>(names: Record<Value, string>, value: string): Value {
  const isKnown = (key: string): key is Value => Object.hasOwn(names, key);
  if (isKnown(value)) return value;
  const [first] = Object.keys(names).filter(isKnown);
  if (first === undefined) throw new Error("a list of choices is empty");
  return first;
}
