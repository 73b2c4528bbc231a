// The kinds of documents by themselves: every page that has an address with one loads them.
export const DOCUMENT_KINDS = [
  "agreement_to_mediate",
  "invitation",
  "no_response",
  "session_summary",
  "mou",
  "ofs",
  "parenting_plan",
  "fee_letter",
  "letter",
  "certificate",
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
