// What a mail that leaves later remembers of whom it was written to, and what of that is no longer so when it leaves.
import type { Directory } from "./gate-people.service.ts";

/** Whom an address was of when the mail was written, as `client:ID` or `contact:ID`; of none, how whoever it is for stood. */
export interface Expected {
  address: string;
  people: string[];
}

interface Standing {
  clientId: string | null;
  party: { caseId: string; partyId: string } | null;
}

/** Of whoever a mail is for, and of its addresses where it is a letter. */
export const expectedOf = (
  directory: Directory,
  { to, cc }: { to: readonly string[]; cc: readonly string[] },
  letterOf: Standing | null,
): Expected[] =>
  [
    { address: "", people: letterOf ? standingOf(directory, letterOf) : [] },
    ...[...to, ...cc].map((address) => ({ address, people: peopleAt(directory, address) })),
  ].filter(({ people }) => people.length > 0);

/**
 * The addresses that became somebody else's since; an empty one where whoever it is for is gone, left the case or was put
 * away, or the case was ended by a death.
 */
export function lostSince(
  directory: Directory,
  { clientId, party, expected = [] }: Standing & { expected?: readonly Expected[] },
): string[] {
  const isGone = clientId !== null && !directory.client(clientId);
  const hasMoved = party !== null && directory.clientOfParty(party.caseId, party.partyId) !== clientId;
  const lost = expected.filter(({ address, people }) => {
    const now = new Set(address ? peopleAt(directory, address) : standingOf(directory, { clientId, party }));
    return people.some((key) => !now.has(key));
  });
  return [...(isGone || hasMoved ? [""] : []), ...lost.map(({ address }) => address)];
}

/** Whose address it is now: to one that they left, what was written to them does not go. */
const peopleAt = (directory: Directory, address: string): string[] =>
  directory
    .at(address)
    .filter(({ isFormer }) => !isFormer)
    .flatMap(({ kind, id, places }) => [
      `${kind}:${id}`,
      // A contact has a place in a case because somebody gave it to them, and loses it when it is taken.
      ...(kind === "contact" ? places.map(({ caseId, partyId }) => `${id}:${caseId}:${partyId ?? ""}`) : []),
    ]);

/** Whether it is still for somebody of the practice who takes part, in a case that nobody's death has ended. */
const standingOf = (directory: Directory, { clientId, party }: Standing): string[] => [
  ...(directory.client(clientId ?? "")?.isArchived === false ? ["current"] : []),
  ...(party && directory.takesPart(party.caseId, party.partyId) ? [`party:${party.partyId}`] : []),
  ...(party && !directory.hasDied(party.caseId) ? ["alive"] : []),
];
