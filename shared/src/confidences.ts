// Whether what one party says apart is kept from the others: the agreement that they sign says so, case by case.
import { hasSigned, type PartyStatus } from "./case-states.ts";
import type { CaseDomain } from "./case-transitions.ts";

export const CONFIDENCES = ["kept", "none"] as const;
export type Confidences = (typeof CONFIDENCES)[number];

export const CONFIDENCES_NAMES = {
  kept: "Kept: what one person says apart is passed on only with their consent",
  none: "None between participants, except contact details",
} as const satisfies Record<Confidences, string>;

/** Null: nobody has signed yet, or nobody said. */
export const confidencesName = (confidences: Confidences | null): string =>
  confidences === null ? "Not agreed yet" : CONFIDENCES_NAMES[confidences];

/** What agreements of this kind of case usually say. */
export const usualConfidences = (domain: CaseDomain): string =>
  domain === "family"
    ? "Family mediation usually keeps none between participants, except contact details. Hybrid mediation, with lawyers present, keeps them."
    : "They are usually kept in mediation of this kind.";

interface Agreed {
  domain: CaseDomain;
  confidences: Confidences | null;
  /** One that not everybody has signed yet. */
  newAgreement?: { to: Confidences } | null;
  parties: readonly { partyId: string; status: PartyStatus }[];
}

/** What holds until everybody has signed something new; where nobody said what was signed before, the new already does. */
const inForce = ({ confidences, newAgreement = null }: Agreed): Confidences | null =>
  confidences ?? newAgreement?.to ?? null;

const bindsOneOf = ({ parties }: Agreed, partyIds: readonly string[]): boolean =>
  parties.some((party) => partyIds.includes(party.partyId) && hasSigned(party));

interface Held {
  /** Whose confidence it would be. */
  aboutPartyIds: readonly string[];
}

/**
 * Whether something new may be held in somebody's confidence. What a person says before they sign, such as in their
 * MIAM, is theirs whatever the agreement says (FMC Code of Practice, confidentiality).
 */
export const mayHold = (theCase: Agreed, { aboutPartyIds }: Held): boolean =>
  inForce(theCase) !== "none" || !bindsOneOf(theCase, aboutPartyIds);

/** The same of financial disclosure, which in family work is nobody's confidence even where the agreement keeps them. */
export const mayHoldFinances = (theCase: Agreed, { aboutPartyIds }: Held): boolean =>
  theCase.domain !== "family" || inForce(theCase) === null || !bindsOneOf(theCase, aboutPartyIds);

/**
 * Why this may not be held in somebody's confidence, and null where it may: one rule for what is said, what is offered
 * and what is put on file.
 */
export function whyNotHeld(theCase: Agreed, visibility: Held, isFinancial = false): string | null {
  if (isFinancial && !mayHoldFinances(theCase, visibility)) return NO_SECRET_FINANCES;
  return mayHold(theCase, visibility) ? null : NO_CONFIDENCES;
}

/** What meeting one party apart is called in this kind of case. */
export const apartName = (domain: CaseDomain | null): string => (domain === "family" ? "Separate meeting" : "Caucus");
/** What there is in its place where no confidences are kept. */
export const APART_SHAREABLE = "Separate meeting, can be shared";

export const NO_CONFIDENCES =
  "The agreement of this case keeps no confidences between participants. Choose who else reads it. What somebody said apart can be noted as a separate meeting that can be shared.";
export const NO_SECRET_FINANCES =
  "Financial disclosure is open between participants, so it is kept in nobody’s confidence. Choose other readers.";
