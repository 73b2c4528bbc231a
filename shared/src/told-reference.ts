// The reference of a case is the practice's own word: many name both parties in it, in one spelling or another.
import { everSigned, sideOf } from "./case-states.ts";
import type { Case, Party } from "./cases.ts";
import { firstSide, namedTo } from "./contact-agreements.ts";

/**
 * The reference as this party may read it: while they are not to hear yet of somebody on another side, only where it is a
 * number, with nothing before it but what the practice puts before its numbers. Whoever came first named the others
 * themselves, and whoever agreed to mediate knows with whom.
 */
export function toldReference(
  { caseRef, domain, parties }: Pick<Case, "caseRef" | "domain" | "parties">,
  party: Party,
  numberPrefix: string,
): string {
  if (everSigned(party) || firstSide(domain, parties).some(({ partyId }) => partyId === party.partyId)) return caseRef;
  const named = namedTo(domain, parties).map(({ partyId }) => partyId);
  const isKnown = (other: Party) => sideOf(other) === sideOf(party) || named.includes(other.partyId);
  if (parties.every(isKnown)) return caseRef;
  const number = caseRef.startsWith(numberPrefix) ? caseRef.slice(numberPrefix.length) : caseRef;
  return /\p{L}/u.test(number) ? "" : caseRef;
}
