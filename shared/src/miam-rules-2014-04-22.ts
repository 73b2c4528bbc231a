// What certificates said until 28 April 2024, when a mediator could still certify an exemption. Nothing is issued by it
// any more; what was issued says what it said.
// Source: FPR 3.8 as made by SI 2014/843, and PD3A of then; superseded by SI 2023/1324.

export const OLD_MIAM_RULES = "2014-04-22";

/** The certified sentences by the reason that was stored; they name nobody but the applicant. */
export const OLD_CERTIFICATE_SENTENCES = {
  respondent_unwilling: "The other party was unwilling to attend, or did not attend without good reason.",
  unsuitable: "The mediator considers that mediation is not suitable.",
  exempt: "The mediator is satisfied that a MIAM exemption applies.",
  applicant_stops: "The applicant attended and does not wish to start or continue mediation.",
  respondent_stops: "Both attended, and the other party does not wish to start or continue mediation.",
  broken_down: "Mediation started, and has broken down or ended with issues unresolved.",
} as const;
export type OldCertificateReason = keyof typeof OLD_CERTIFICATE_SENTENCES;
