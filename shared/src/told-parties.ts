// Which of the others a party has been told of, or told us of themselves.
import { everSigned, sideOf } from "./case-states.ts";
import type { Case, Party } from "./cases.ts";
import { firstSide, namedTo } from "./contact-agreements.ts";

type Told = Pick<Case, "domain" | "parties">;

/** Whoever came first named the others themselves, and whoever agreed to mediate knows with whom. */
export const knowsOf = ({ domain, parties }: Told, party: Party, other: Party): boolean =>
  everSigned(party) ||
  firstSide(domain, parties).some(({ partyId }) => partyId === party.partyId) ||
  sideOf(other) === sideOf(party) ||
  namedTo(domain, parties).some(({ partyId }) => partyId === other.partyId);

/** Whether a paper for this party may name the other: not somebody who was added later, before they signed as well. */
export const mayBeNamedTo = (theCase: Told, party: Party, other: Party): boolean =>
  knowsOf(theCase, party, other) && (sideOf(other) === sideOf(party) || other.joinedAt === null || everSigned(other));

/** Those who take part on other sides. */
export const othersOf = ({ parties }: Pick<Case, "parties">, party: Party): Party[] =>
  parties.filter((other) => other.leftAt === null && sideOf(other) !== sideOf(party));

/** The first who has not been told of somebody; null where all may be named to each other. */
export function untoldIn(theCase: Told): Party | null {
  const present = theCase.parties.filter(({ leftAt }) => leftAt === null);
  const hasUntold = (party: Party) => present.some((other) => !mayBeNamedTo(theCase, party, other));
  return present.find(hasUntold) ?? null;
}
