// Whom nobody has asked anything yet, nothing asks, by whatever way, that an invitation could not.
import type { Case } from "@app/shared/cases";
import { isAskedNoMore } from "@app/shared/contact-agreements";
import { type CaseSides, sidesOf, sidesOfCases } from "../cases/case-sides.service.ts";
import { clearedIn } from "../conflicts/conflicts.service.ts";
import { unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { unsafeCases } from "../screenings/open-concerns.service.ts";

/**
 * Whether a party of one of these cases is to hear nothing yet: whoever came first keeps that so, somebody is not safe,
 * nobody has judged what was told, or the practice may not act, as far as anybody decided. What holds between two people
 * holds in each of their cases that are among these, whoever is said to have come first there.
 */
export async function keptUnasked(ownerId: string, sides: readonly CaseSides[]): Promise<Kept> {
  const asking = sides.filter(({ parties }) => parties.some(({ isUnasked }) => isUnasked));
  const caseIds = asking.map(({ caseId }) => caseId);
  // One after the other: in a transaction the first look must be alone.
  const unjudged = await unjudgedIn(ownerId, caseIds);
  const unsafe = await unsafeCases(ownerId, asking);
  const cleared = await clearedIn(ownerId, caseIds);
  const isKeptHere = (caseId: string, partyId: string): boolean => {
    const parties = sides.find((one) => one.caseId === caseId)?.parties ?? [];
    const party = parties.find((one) => one.partyId === partyId);
    if (!party?.isUnasked) return party?.isKeptUnasked === true;
    const acting = parties.filter((one) => one.isFirst || one === party);
    const isCleared = acting.every(({ clientId }) => cleared.get(caseId)?.has(clientId));
    return party.isKeptUnasked || unjudged.has(caseId) || unsafe.has(caseId) || !isCleared;
  };
  const isInDanger = (caseId: string) => unjudged.has(caseId) || unsafe.has(caseId);
  const clientOf = (caseId: string, partyId: string) =>
    sides.find((one) => one.caseId === caseId)?.parties.find((one) => one.partyId === partyId)?.clientId ?? "";
  const isKeptFrom = (caseId: string, clientId: string) => isKeptElsewhere({ caseId, clientId }, sides, isInDanger);
  return {
    isKept: (caseId, partyId) => isKeptHere(caseId, partyId) || isKeptFrom(caseId, clientOf(caseId, partyId)),
    isKeptFrom,
  };
}

interface Kept {
  /** Whether this party of this case is to hear nothing. */
  isKept: (caseId: string, partyId: string) => boolean;
  /** Whether this client, whether a party of this case or not, is to hear nothing of it, by another case of theirs. */
  isKeptFrom: (caseId: string, clientId: string) => boolean;
}

/** The same for the parties of one case, who are to be asked to come: an appointment invites whoever has not answered yet. */
export async function keptUnaskedIn(ownerId: string, theCase: Case): Promise<(partyId: string) => boolean> {
  const clientIds = theCase.parties.map(({ clientId }) => clientId);
  const around = await sidesOfCases(ownerId, { caseIds: [], clientIds, contactIds: [] });
  const { isKept } = await keptUnasked(ownerId, [
    sidesOf(theCase),
    ...around.filter(({ caseId }) => caseId !== theCase.id),
  ]);
  const askedNoMore = new Set(
    theCase.parties.filter((party) => isAskedNoMore(theCase, party)).map(({ partyId }) => partyId),
  );
  return (partyId) => askedNoMore.has(partyId) || isKept(theCase.id, partyId);
}

/** Whether somebody of this case, in another one of theirs, does not want this client to hear of it, or is in danger by it. */
function isKeptElsewhere(
  { caseId, clientId: keptId }: { caseId: string; clientId: string },
  sides: readonly CaseSides[],
  isInDanger: (caseId: string) => boolean,
): boolean {
  const here = sides.find((one) => one.caseId === caseId)?.parties ?? [];
  const others = here.filter(({ clientId }) => clientId !== keptId);
  return sides.some((other) => {
    const isAsked = !other.parties.some(({ clientId, isUnasked }) => clientId === keptId && isUnasked);
    if (other.caseId === caseId || isAsked) return false;
    return other.parties.some(({ isFirst, clientId, status, agreesToContact }) => {
      const same = others.find((one) => one.clientId === clientId);
      if (!isFirst || !same) return false;
      const isRefused = agreesToContact === false && same.agreesToContact !== true;
      return isRefused || status === "not_suitable" || isInDanger(other.caseId);
    });
  });
}
