import type { ContactRole } from "./contact-roles.ts";

export const CONTACT_ROLE_NAMES = {
  solicitor: "Solicitor",
  counsel: "Counsel",
  social_worker: "Social worker",
  referrer: "Referrer",
  employer_hr: "Employer’s HR",
  interpreter: "Interpreter",
  expert: "Expert",
  supporter: "Supporter or IDVA",
  representative: "Litigation friend, deputy or attorney",
  intermediary: "Intermediary",
  consultant: "Professional practice consultant",
  other: "Other",
} as const satisfies Record<ContactRole, string>;

/** How the Legal Aid Agency numbers where a referral came from. */
export const REFERRER_CODE_NAMES = {
  "02": "Solicitor",
  "03": "Court",
  "04": "Citizens Advice",
  "05": "Other advice agency or helpline",
  "06": "Relate or other relationship counselling",
  "07": "GP or NHS",
  "08": "Self-referred",
  "09": "Other",
  "10": "Unknown",
  "11": "SPIP",
} as const;
