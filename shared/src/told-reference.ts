// The reference of a case is the practice's own word: many name both parties in it, in one spelling or another.
import type { Case, Party } from "./cases.ts";
import { knowsOf } from "./told-parties.ts";

/**
 * The reference as this party may read it: while they are not to hear yet of somebody on another side, only where it is a
 * number, with nothing before it but what the practice puts before its numbers.
 */
export function toldReference(
  theCase: Pick<Case, "caseRef" | "domain" | "parties">,
  party: Party,
  numberPrefix: string,
): string {
  const { caseRef, parties } = theCase;
  if (parties.every((other) => knowsOf(theCase, party, other))) return caseRef;
  const number = caseRef.startsWith(numberPrefix) ? caseRef.slice(numberPrefix.length) : caseRef;
  return /\p{L}/u.test(number) ? "" : caseRef;
}
