// Whom nobody has asked anything yet, nothing asks, by whatever way, that an invitation could not.
import type { CaseSides } from "../cases/case-sides.service.ts";
import { clearedIn } from "../conflicts/conflicts.service.ts";
import { unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { unsafeCases } from "../screenings/open-concerns.service.ts";

/**
 * Whether a party of one of these cases is to hear nothing yet: whoever came first keeps that so, somebody is not safe,
 * nobody has judged what was told, or the practice may not act, as far as anybody decided.
 */
export async function keptUnasked(
  ownerId: string,
  sides: readonly CaseSides[],
): Promise<(caseId: string, partyId: string) => boolean> {
  const asking = sides.filter(({ parties }) => parties.some(({ isUnasked }) => isUnasked));
  const caseIds = asking.map(({ caseId }) => caseId);
  // One after the other: in a transaction the first look must be alone.
  const unjudged = await unjudgedIn(ownerId, caseIds);
  const unsafe = await unsafeCases(ownerId, asking);
  const cleared = await clearedIn(ownerId, caseIds);
  return (caseId, partyId) => {
    const parties = sides.find((one) => one.caseId === caseId)?.parties ?? [];
    const party = parties.find((one) => one.partyId === partyId);
    if (!party?.isUnasked) return party?.isKeptUnasked === true;
    const acting = parties.filter((one) => one.isFirst || one === party);
    const isCleared = acting.every(({ clientId }) => cleared.get(caseId)?.has(clientId));
    return party.isKeptUnasked || unjudged.has(caseId) || unsafe.has(caseId) || !isCleared;
  };
}
