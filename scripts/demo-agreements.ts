// What the agreements to mediate say that parties of the invented practice signed.
import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { changeConfidences } from "@app/server/features/casework/case-agreements";
import { updateParty } from "@app/server/features/casework/case-editing.service";
import { getCase } from "@app/server/features/cases/cases.service";
import type { Scope } from "@app/server/core/trpc";

/** One family in so many mediates with lawyers present, and keeps confidences. */
const HYBRID_EVERY = 7;

/** Of a case that was taken over with its signatures: what its agreement on paper says. */
export async function demoAgreement(scope: Scope, { id, parties, statusSince }: Case, index: number): Promise<void> {
  for (const { partyId, side, role, representativeContactIds } of parties.filter(hasSigned)) {
    const { version } = await getCase(scope, id);
    const consentedOn = statusSince.slice(0, 10);
    await updateParty(scope, { id, version, partyId, side, role, representativeContactIds, consentedOn });
  }
  const bound = parties.filter((party) => hasSigned(party) && isTakingPart(party));
  if (bound.length === 0) return;
  const isHybrid = index % HYBRID_EVERY === 0;
  await changeConfidences(scope, {
    id,
    version: (await getCase(scope, id)).version,
    to: isHybrid ? "kept" : "none",
    signatures: bound.map(({ partyId }) => ({ partyId, on: statusSince.slice(0, 10) })),
    reason: isHybrid ? "Hybrid mediation, with their lawyers present" : "As the agreement on paper says",
  });
}
