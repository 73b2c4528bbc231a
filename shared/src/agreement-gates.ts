// What everybody has to have said before they mediate: asked where a case moves on, and where a session runs. Free of zod.
import { hasSigned, isTakingPart, type PartyStatus } from "./case-states.ts";

interface Agreeing {
  label: string;
  status: PartyStatus;
  consentedOn: string;
}

export const labelsOf = (parties: readonly { label: string }[]): string =>
  parties.map(({ label }) => label).join(" and ");

/** Who of these takes part without their consent, in words; empty where nobody does. */
export function missingConsents(parties: readonly Agreeing[]): string[] {
  const missing = parties.filter((party) => isTakingPart(party) && party.consentedOn === "");
  return missing.length > 0 ? [`Record the consent of ${labelsOf(missing)}.`] : [];
}

/** The same of those who have not signed the agreement to mediate. */
export function missingSignatures(parties: readonly Omit<Agreeing, "consentedOn">[]): string[] {
  const missing = parties.filter((party) => isTakingPart(party) && !hasSigned(party));
  return missing.length > 0 ? [`${labelsOf(missing)} must sign the agreement to mediate.`] : [];
}

/** What is left of a party who will not sign, so that nobody waits for them. */
export const OR_THEY_LEAVE = "Whoever will not is moved to “Withdrawn”, “Refused” or “No response” first.";
