import { DEFAULT_SAFE_CONTACT, type CreateClient, type SafeContact } from "@app/shared/clients";
import { EMPTY_OTHER, type Enquiry, enquirySchema, type Lead, leadName } from "@app/shared/leads";
import { LEAD_REACH_NAMES } from "@app/shared/lead-reaches";
import { validateWith } from "../../core/validate.ts";
import { plainFields } from "../../ui/version-fields.ts";
import { DOMAIN_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";
import type { FirstCase } from "../clients/first-case-fields.tsx";
import { EMPTY_CLIENT } from "../clients/client-record.ts";

/** As it stands in the form: the other person always has their fields there, and how they came is said by somebody. */
export interface EnquiryValues extends Omit<Enquiry, "other" | "source"> {
  other: NonNullable<Enquiry["other"]>;
  source: Enquiry["source"] | "";
}

export const emptyEnquiry = (domain: Enquiry["domain"]): EnquiryValues => ({
  ...EMPTY_OTHER,
  organisation: "",
  other: EMPTY_OTHER,
  domain,
  source: "",
  campaign: "",
  summary: "",
  reachBy: "",
  reachNote: "",
  nextStep: "",
  nextOn: "",
});

/** What is sent; null while it is not said how they came. */
export function enquiryIn({ other, source, ...values }: EnquiryValues): Enquiry | null {
  if (source === "") return null;
  const isNamed = Object.values(other).some((text) => text.trim() !== "");
  return { ...values, source, other: isNamed ? other : null };
}

const check = validateWith(enquirySchema);
export function validateEnquiry(values: EnquiryValues): Record<string, string> {
  const unsaid: Record<string, string> = values.source === "" ? { source: "Choose how they came" } : {};
  return { ...check(enquiryIn({ ...values, source: values.source || "other" })), ...unsaid };
}

export function enquiryValues(lead: Lead): EnquiryValues {
  const { firstName, lastName, organisation, email, phone, dateOfBirth, other, domain, source, campaign } = lead;
  const { summary, reachBy, reachNote, nextStep, nextOn } = lead;
  return {
    firstName,
    lastName,
    organisation,
    email,
    phone,
    dateOfBirth,
    domain,
    source,
    campaign,
    summary,
    reachBy,
    reachNote,
    nextStep,
    nextOn,
    other: other ?? EMPTY_OTHER,
  };
}

const otherText = (other: EnquiryValues["other"]): string =>
  [leadName({ ...other, organisation: "" }), other.email, other.phone, other.dateOfBirth].filter(Boolean).join(", ");

/** What two versions of a lead are compared by, and in which words. */
export const LEAD_FIELDS = plainFields<EnquiryValues>(
  {
    firstName: "First name",
    lastName: "Last name",
    organisation: "Organisation",
    email: "Email",
    phone: "Phone",
    dateOfBirth: "Date of birth",
    other: "Other person",
    domain: "Kind",
    source: "How they came",
    campaign: "Campaign",
    summary: "What it is about",
    reachBy: "How they may be reached",
    reachNote: "Note on reaching them",
    nextStep: "Next step",
    nextOn: "On",
  },
  {
    other: otherText,
    domain: (domain) => DOMAIN_NAMES[domain],
    source: (source) => source && SOURCE_NAMES[source],
    reachBy: (reachBy) => reachBy && LEAD_REACH_NAMES[reachBy],
  },
);

/** The client that a lead becomes, as far as it is known; what they said of safe ways goes along. */
export function clientFrom(lead: Lead): CreateClient {
  const isOrganisation = lead.lastName === "" && lead.organisation !== "";
  return {
    ...EMPTY_CLIENT,
    kind: isOrganisation ? "organisation" : "person",
    firstName: lead.firstName,
    lastName: lead.lastName,
    organisation: lead.organisation,
    dateOfBirth: lead.dateOfBirth,
    email: lead.email,
    phones: [{ type: "mobile", number: lead.phone, isPreferred: true }],
    safeContact: safeContactFrom(lead),
  };
}

/** Whoever wrote by a page of the practice and was asked for nothing else is answered in the way that they took. */
const reachOf = ({ reachBy, answers, email }: Lead): Enquiry["reachBy"] =>
  reachBy === "" && answers !== null && email !== "" ? "email" : reachBy;

/** What their answers are marked with is told with these, to whoever may read them. */
function safeContactFrom(lead: Lead): SafeContact {
  const note = lead.reachNote;
  const reachBy = reachOf(lead);
  if (reachBy === "" || reachBy === "any") return { ...DEFAULT_SAFE_CONTACT, note };
  return {
    ...DEFAULT_SAFE_CONTACT,
    mayEmail: reachBy === "email" || reachBy === "email_phone",
    mayPhone: reachBy === "phone" || reachBy === "email_phone",
    mayText: reachBy === "text",
    mayPost: reachBy === "post",
    note,
  };
}

/** The case that it brings; how the other person is reached is asked of them, not taken from here. */
export function caseFrom({ other, domain, source, campaign }: Lead, nothing: FirstCase): FirstCase {
  const isNamed = other !== null && other.lastName !== "";
  const { theCase } = nothing;
  return {
    ...nothing,
    isOpened: true,
    otherNew: isNamed ? { firstName: other.firstName, lastName: other.lastName } : null,
    theCase: { ...theCase, domain, referral: { ...theCase.referral, source, campaign } },
  };
}
