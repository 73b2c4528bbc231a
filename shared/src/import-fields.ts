// Which fields a file may fill, and how their columns are usually headed.
import type { ImportKind } from "./import-states.ts";
import { foldText } from "./text.ts";

export interface ImportField {
  name: string;
  label: string;
  /** Other headings that mean the same, as `headingKey` writes them. */
  headings: readonly string[];
}

const PERSON: readonly ImportField[] = [
  { name: "title", label: "Title", headings: ["salutation", "prefix"] },
  { name: "firstName", label: "First name", headings: ["forename", "given name", "christian name", "first"] },
  { name: "lastName", label: "Last name", headings: ["surname", "family name", "last"] },
  { name: "fullName", label: "Full name", headings: ["name", "client", "client name", "display name", "contact name"] },
];

const REACH: readonly ImportField[] = [
  { name: "email", label: "Email", headings: ["e mail", "email address", "mail", "e mail address"] },
  {
    name: "phone",
    label: "Phone",
    headings: ["telephone", "phone number", "tel", "telephone number", "contact number"],
  },
  { name: "mobile", label: "Mobile", headings: ["mobile phone", "mobile number", "cell", "cell phone"] },
  { name: "homePhone", label: "Home phone", headings: ["home", "home telephone", "home number", "landline"] },
  { name: "workPhone", label: "Work phone", headings: ["work", "work telephone", "work number", "business phone"] },
  {
    name: "address",
    label: "Address",
    headings: ["address line 1", "address 1", "street", "home address", "postal address"],
  },
  { name: "address2", label: "Address line 2", headings: ["address 2", "street 2"] },
  { name: "town", label: "Town", headings: ["city", "town city", "address line 3", "address 3"] },
  { name: "county", label: "County", headings: ["region", "state", "address line 4", "address 4"] },
  { name: "postcode", label: "Postcode", headings: ["post code", "zip", "zip code", "postal code"] },
  { name: "country", label: "Country", headings: [] },
];

const SAFETY: readonly ImportField[] = [
  {
    name: "isAddressConfidential",
    label: "Address is confidential",
    headings: ["confidential address", "confidential"],
  },
  { name: "mayEmail", label: "May email", headings: ["can email", "email allowed"] },
  { name: "mayText", label: "May text", headings: ["can text", "sms allowed", "may sms"] },
  { name: "mayPhone", label: "May phone", headings: ["can phone", "may call"] },
  { name: "mayLeaveVoicemail", label: "May leave voicemail", headings: ["voicemail", "can leave voicemail"] },
  { name: "mayPost", label: "May post", headings: ["can post", "may write"] },
  { name: "safeTimes", label: "Safe times", headings: ["safe time", "best time to call"] },
  { name: "codeWord", label: "Code word", headings: ["password", "safe word"] },
  { name: "safetyNote", label: "Safety note", headings: ["safe contact note", "contact instructions"] },
];

const CLIENT_FIELDS: readonly ImportField[] = [
  { name: "kind", label: "Kind", headings: ["type", "client type"] },
  ...PERSON,
  { name: "knownAs", label: "Known as", headings: ["preferred name", "nickname", "alias"] },
  { name: "organisation", label: "Organisation", headings: ["organization", "company", "company name", "business"] },
  { name: "dateOfBirth", label: "Date of birth", headings: ["dob", "birth date", "birthday", "born", "birthdate"] },
  ...REACH,
  ...SAFETY,
  { name: "needs", label: "Needs", headings: ["accessibility", "special needs", "notes", "access needs"] },
  { name: "tags", label: "Tags", headings: ["labels", "categories", "groups"] },
];

const CONTACT_FIELDS: readonly ImportField[] = [
  { name: "role", label: "Role", headings: ["type", "kind", "profession", "contact type"] },
  ...PERSON,
  { name: "organisation", label: "Organisation", headings: ["organization", "company", "firm", "company name"] },
  ...REACH,
  { name: "reference", label: "Reference", headings: ["ref", "their reference", "dx"] },
  { name: "notes", label: "Notes", headings: ["note", "comments", "remarks"] },
];

const partyField = (number: number): ImportField => ({
  name: `party${number}`,
  label: `Party ${number} (email or name)`,
  headings: [
    `party ${number}`,
    `party ${number} email`,
    `party ${number} name`,
    `p${number}`,
    `client ${number}`,
    `client ${number} email`,
    ...(number === 1 ? ["applicant", "client", "initiator", "claimant"] : []),
    ...(number === 2 ? ["respondent", "other participant", "other party"] : []),
  ],
});

const CASE_FIELDS: readonly ImportField[] = [
  {
    name: "caseRef",
    label: "Reference",
    headings: ["case ref", "case reference", "case number", "case no", "ref", "case id"],
  },
  ...[1, 2, 3, 4].map(partyField),
  { name: "domain", label: "Kind of mediation", headings: ["domain", "type", "case type", "mediation type"] },
  { name: "issueScope", label: "Issues", headings: ["issue scope", "scope", "issue"] },
  { name: "matter", label: "Matter", headings: ["description", "subject", "summary", "title"] },
  { name: "format", label: "Format", headings: ["how", "method"] },
  {
    name: "mediators",
    label: "Mediators (names)",
    headings: ["mediator", "mediators", "assigned to", "case worker"],
  },
  { name: "source", label: "Referred by", headings: ["referral source", "source", "referral", "referrer"] },
  {
    name: "startedOn",
    label: "Started on",
    headings: ["start date", "opened", "date opened", "opened on", "started", "date"],
  },
  { name: "nextReviewOn", label: "Next review", headings: ["review date", "next review on", "review"] },
  { name: "status", label: "Status", headings: ["case status", "state", "stage"] },
  { name: "isUrgent", label: "Urgent", headings: ["is urgent", "priority"] },
  { name: "mustNotMeet", label: "Must not meet", headings: ["no contact", "shuttle only"] },
];

const MEETING_FIELDS: readonly ImportField[] = [
  { name: "type", label: "Type", headings: ["meeting type", "appointment type", "kind", "category"] },
  { name: "title", label: "Title", headings: ["subject", "summary", "description"] },
  { name: "day", label: "Day", headings: ["date", "start date", "meeting date", "appointment date"] },
  { name: "starts", label: "Starts", headings: ["start", "start time", "time", "from", "starts at"] },
  { name: "ends", label: "Ends", headings: ["end", "end time", "to", "until", "ends at"] },
  { name: "minutes", label: "Minutes", headings: ["duration", "length", "duration minutes", "duration mins"] },
  { name: "caseRef", label: "Case reference", headings: ["case", "case ref", "reference", "case number", "case no"] },
  {
    name: "client",
    label: "Client (email or name)",
    headings: ["client", "client email", "client name", "attendee", "party"],
  },
  {
    name: "mediators",
    label: "Mediators (names)",
    headings: ["mediator", "mediators", "with", "organiser", "staff"],
  },
  { name: "status", label: "Status", headings: ["meeting status", "state", "outcome"] },
  { name: "locationKind", label: "Held", headings: ["how", "method", "format", "location type"] },
  { name: "place", label: "Place", headings: ["location", "room", "venue", "where", "address"] },
];

export const IMPORT_FIELDS: Record<ImportKind, readonly ImportField[]> = {
  clients: CLIENT_FIELDS,
  contacts: CONTACT_FIELDS,
  cases: CASE_FIELDS,
  meetings: MEETING_FIELDS,
};

export const fieldNames = (kind: ImportKind): string[] => IMPORT_FIELDS[kind].map(({ name }) => name);

/** A heading as it is compared: "E-mail_Address *" is "e mail address", "dateOfBirth" is "date of birth". */
export const headingKey = (heading: string): string =>
  foldText(heading.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** For each heading the field that it most likely means; empty where none does. No field is filled twice. */
export function suggestColumns(kind: ImportKind, headings: readonly string[]): string[] {
  const fields = IMPORT_FIELDS[kind];
  const keys = headings.map(headingKey);
  const chosen = keys.map(() => "");
  const isFree = (name: string) => !chosen.includes(name);
  const choose = (fits: (field: ImportField, key: string) => boolean) => {
    for (const [index, key] of keys.entries()) {
      if (chosen[index] || !key) continue;
      const field = fields.find((one) => isFree(one.name) && fits(one, key));
      if (field) chosen[index] = field.name;
    }
  };
  // What is meant exactly comes first, so that "Name" does not take the place of "Full name".
  choose((field, key) => key === headingKey(field.label) || key === headingKey(field.name));
  choose((field, key) => field.headings.includes(key));
  return chosen;
}
