// Read with the address of a page, so it stands in the entry: nothing but the list.
export const CONTACT_ROLES = [
  "solicitor",
  "counsel",
  "social_worker",
  "referrer",
  "employer_hr",
  "interpreter",
  "expert",
  "supporter",
  "representative",
  "intermediary",
  "consultant",
  "other",
] as const;
export type ContactRole = (typeof CONTACT_ROLES)[number];
