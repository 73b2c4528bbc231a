// What a document may say of its case: all that a mail may say, what is on paper alone, and what is told for each
// participant or child.
import type { DocumentKind } from "./document-kind-list.ts";
import { MERGE_FIELDS } from "./merge-fields.ts";

/** What a certificate says of its person, its meeting or mediation, and who signed it. */
const CERTIFICATE_FIELDS = {
  "certificate.number": "Number of the certificate",
  "certificate.person": "Person whom it is for",
  "certificate.attendedOn": "Day of the meeting",
  "certificate.conductedBy": "Who conducted the meeting",
  "certificate.firstSession": "Day of the first session",
  "certificate.lastSession": "Day of the last session",
  "certificate.signedBy": "Mediator who signed it",
  "certificate.urn": "FMC registration number of the mediator",
  "certificate.service": "Mediation service",
  "certificate.issuedOn": "Day of issue",
  "certificate.lastDay": "Last day for an application",
  "certificate.late": "That the last day had passed when it was issued",
} as const;

export const DOCUMENT_FIELDS = {
  ...MERGE_FIELDS,
  "client.address": "Postal address",
  "otherParty.firstName": "Other participant’s first name",
  "otherParty.fullName": "Other participant’s full name",
  "parties.names": "Names of all participants",
  "children.names": "Names of the children",
  "case.sessionsHeld": "How many sessions were held",
  "case.firstSession": "Day of the first session",
  "case.lastSession": "Day of the last session",
  "case.tookPart": "Who came to how many sessions",
  "case.lastSessionNames": "Who came to the last session",
  "case.adviceTold": "That each was told to take legal advice, once it is recorded",
  "case.certificateNext": "How to ask for a certificate of the MIAM, for whoever attended one",
  "invitation.meeting": "First meeting, as it is called in this kind of case",
  "invitation.metOn": "Day of their first meeting, if they came to one",
  "invitation.court": "That a court expects a MIAM, where it does",
  "silence.words": "How the other participant was invited, and did not answer",
  "agreement.confidences": "What the agreement says of confidences",
  ...CERTIFICATE_FIELDS,
  "finances.exchangedOn": "Day on which financial disclosure was exchanged",
  "finances.first": "First participant, over their figures",
  "finances.second": "Other participants, over their figures",
  "finances.names": "Names of those who disclosed their finances",
} as const;
export type DocumentField = keyof typeof DOCUMENT_FIELDS;
export type DocumentValues = Partial<Record<DocumentField, string>>;

/** In the order in which they are offered. */
const CERTIFICATE_GROUPS = [
  { name: "Certificate", of: ["certificate."] },
  { name: "Practice", of: ["practice."] },
] as const;
const DOCUMENT_GROUPS = [
  { name: "Addressee", of: ["client.", "otherParty."] },
  { name: "Everybody", of: ["parties.", "children."] },
  { name: "Case", of: ["case.", "agreement.", "invitation.", "silence.", "meeting."] },
  { name: "Finances", of: ["finances."] },
  { name: "Practice", of: ["practice.", "mediator.", "sender.", "today"] },
] as const;

/** What a text of this kind can say: a certificate nothing but what it certifies. */
export const fieldGroupsOf = (kind: DocumentKind) => (kind === "certificate" ? CERTIFICATE_GROUPS : DOCUMENT_GROUPS);

export const DOCUMENT_PATHS = Object.keys(DOCUMENT_FIELDS).filter(isDocumentField);

export function isDocumentField(path: string): path is DocumentField {
  return Object.hasOwn(DOCUMENT_FIELDS, path);
}

const FIGURE_FIELDS = {
  "each.thing": "What it is",
  "each.whose": "Whose it is",
  "each.first": "Figure of the first participant",
  "each.second": "Figure of the other participants",
  "each.value": "Value that counts",
  "each.asOf": "Day of the figure",
  "each.source": "How it is known",
} as const;
const figuresNamed = (name: string) => ({ name, fields: FIGURE_FIELDS, isRows: true }) as const;

/** What stands in the proposals of a mediation: said only in what is without prejudice. */
const PROPOSAL_FIELDS = {
  "each.proposalAbout": "What the proposal is about",
  "each.proposal": "What is proposed",
  "each.proposedBy": "Who proposed it",
  "each.proposalState": "How it stands",
  "each.proposalAgreedOn": "Day on which it was agreed in principle",
} as const;
export const isOfProposal = (path: string): boolean => Object.hasOwn(PROPOSAL_FIELDS, path);

const OPEN_FIELDS = { "each.question": "What is open" } as const;
/** What is told of a figure, an open question or a proposal, and not of a person. */
export const isOfRecord = (path: string): boolean =>
  [FIGURE_FIELDS, OPEN_FIELDS, PROPOSAL_FIELDS].some((fields) => Object.hasOwn(fields, path));

/**
 * For whom or what a part of a document is written again, and what can be said of each. With `isRows` the part is written
 * once, and in its tables the rows come again that head no column.
 */
export const REPEATS = {
  parties: {
    name: "participant",
    fields: { "each.fullName": "Full name", "each.firstName": "First name" },
    isRows: false,
  },
  children: { name: "child", fields: { "each.firstName": "First name", "each.age": "Age" }, isRows: false },
  "finances.property": figuresNamed("home or land"),
  "finances.accounts": figuresNamed("bank account"),
  "finances.savings": figuresNamed("saving or investment"),
  "finances.business": figuresNamed("business interest"),
  "finances.other": figuresNamed("other thing of value"),
  "finances.pensions": figuresNamed("pension"),
  "finances.debts": figuresNamed("mortgage or debt"),
  "finances.income": figuresNamed("income"),
  "finances.outgoings": figuresNamed("spending"),
  "finances.totals": figuresNamed("total"),
  "finances.agreed": figuresNamed("agreed value"),
  "finances.open": { name: "open question", fields: OPEN_FIELDS, isRows: true },
  "certificate.statements": { name: "statement", fields: { "each.statement": "What is certified" }, isRows: false },
  "proposals.agreed": { name: "agreed proposal", fields: PROPOSAL_FIELDS, isRows: true },
  "proposals.lastSession": { name: "proposal of the last session", fields: PROPOSAL_FIELDS, isRows: true },
} as const;
export type RepeatOver = keyof typeof REPEATS;

const EACH_FIELDS: Record<string, string> = Object.assign({}, ...Object.values(REPEATS).map(({ fields }) => fields));
type FieldsOfEach<Over> = Over extends { fields: infer Fields } ? keyof Fields : never;
export type EachField = FieldsOfEach<(typeof REPEATS)[RepeatOver]>;
export type EachValues = Partial<Record<EachField, string>>;
export type RepeatValues = Partial<Record<RepeatOver, readonly EachValues[]>>;

export const isRepeatOver = (over: string): over is RepeatOver => Object.hasOwn(REPEATS, over);

/** What a field is called: that of each one is named by what it says of them. */
export function fieldName(path: string): string {
  if (isDocumentField(path)) return DOCUMENT_FIELDS[path];
  if (isBlank(path)) return blankName(path);
  return EACH_FIELDS[path] ?? `“${path}”, which is no field`;
}

/** What whoever makes the document writes in its place, such as a fee: it has no value of its own, ever. */
const BLANK = "fill.";
export const isBlank = (path: string): boolean => path.startsWith(BLANK);

/** A blank for this, named in letters and digits: "fee per hour" as fill.feePerHour. */
export function blankPath(name: string): string {
  const [first = "", ...rest] = name.match(/[A-Za-z0-9]+/g) ?? [];
  const path = [first.toLowerCase(), ...rest.map((word) => (word[0] ?? "").toUpperCase() + word.slice(1))].join("");
  return `${BLANK}${path}`.slice(0, 60);
}

const blankName = (path: string): string =>
  `To fill in: ${path.slice(BLANK.length).replace(/[A-Z]|\d+/g, (sign) => ` ${sign.toLowerCase()}`)}`;
