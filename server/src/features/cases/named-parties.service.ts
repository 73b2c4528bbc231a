import type { Visibility } from "@app/shared/visibility";
import { wrongState } from "../../core/errors.ts";
import { type CaseDoc, takePartiesTurn } from "./case-parties.service.ts";
import { CaseModel } from "./cases.model.ts";

interface Naming {
  caseId: string | null;
  visibility: Visibility;
}

/**
 * In the transaction that keeps something of or for parties of a case: of whoever is taken out of it at this moment it is
 * known whether something is kept of them. PRECONDITION_FAILED where they were.
 */
export const assertPartiesStay = (ownerId: string, { caseId, visibility }: Naming): Promise<void> =>
  assertStillParties(ownerId, caseId, [...visibility.partyIds, ...visibility.aboutPartyIds]);

/** The same of what is kept of these, whoever reads it. */
export async function assertStillParties(
  ownerId: string,
  caseId: string | null,
  partyIds: readonly (string | null)[],
): Promise<void> {
  const named = partyIds.filter((partyId) => partyId !== null);
  if (!caseId || named.length === 0) return;
  await takePartiesTurn(ownerId, caseId);
  const theCase = await CaseModel.findOne({ ownerId, _id: caseId }, { parties: 1 }).lean<Pick<CaseDoc, "parties">>();
  const there = theCase?.parties.map(({ partyId }) => partyId) ?? [];
  if (named.some((partyId) => !there.includes(partyId)))
    throw wrongState(
      "Somebody whom this names was taken out of the case. Load the page again, and choose who it is for.",
    );
}
