// What everybody has to have said before they mediate: asked where a case moves on, and where a session runs. Free of zod.
import { hasSigned, isTakingPart, PARTY_STATUS_NAMES, type PartyStatus } from "./case-states.ts";

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

/** Nobody waits for whoever has not come as far: they stay in the case, and out of its sessions. */
export const OR_WITHOUT_THEM =
  "Until then a session can be held without them. If its meeting names them, take them out of it first.";

/** Whoever will not sign leaves so that nobody waits for them: to this they can be moved wherever they stand. */
const GONE = "withdrawn" satisfies PartyStatus;
export const OR_THEY_LEAVE = `Whoever will not is moved to “${PARTY_STATUS_NAMES[GONE]}” first.`;
