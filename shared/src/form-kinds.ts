// The kinds of forms by themselves: every page that has an address with one loads them.
export const FORM_KINDS = ["questionnaire", "intake", "screening", "disclosure", "feedback", "lead"] as const;
export type FormKind = (typeof FORM_KINDS)[number];
