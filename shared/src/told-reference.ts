// The reference of a case is the practice's own word: many name both parties in it.
import { everSigned, sideOf } from "./case-states.ts";
import type { Case, Party } from "./cases.ts";
import { firstSide, namedTo } from "./contact-agreements.ts";
import { foldText } from "./text.ts";

/** Shorter parts of a name stand within many words. */
const WITHIN_LENGTH = 4;

/**
 * The reference as this party may read it; empty where it names somebody of another side of whom they are not to hear yet:
 * whoever came first named the others themselves, and whoever agreed to mediate knows with whom.
 */
export function toldReference(
  { caseRef, domain, parties }: Pick<Case, "caseRef" | "domain" | "parties">,
  party: Party,
): string {
  if (everSigned(party) || firstSide(domain, parties).some(({ partyId }) => partyId === party.partyId)) return caseRef;
  const named = namedTo(domain, parties).map(({ partyId }) => partyId);
  const unknown = parties.filter((other) => sideOf(other) !== sideOf(party) && !named.includes(other.partyId));
  return unknown.some(({ name }) => isNamedIn(caseRef, name)) ? "" : caseRef;
}

function isNamedIn(reference: string, name: string): boolean {
  const words = foldText(reference).split(/[^\p{L}\p{N}]+/u);
  const whole = words.join("");
  return foldText(name)
    .split(/\s+/u)
    .map((part) => part.replace(/[^\p{L}\p{N}]+/gu, ""))
    .some((part) => part.length > 1 && (part.length < WITHIN_LENGTH ? words.includes(part) : whole.includes(part)));
}
