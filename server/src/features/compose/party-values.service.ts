import type { Case, Party } from "@app/shared/cases";
import type { MergeValues } from "@app/shared/merge-fields";
import type { Scope } from "../../core/trpc.ts";
import { type ForParty, sealFor } from "../visibility/for-party.service.ts";
import { sayableOf } from "./compose-context.ts";

/** What a paper may say to this party, as a letter does: of them, and of nobody else. */
export async function valuesForParty(
  scope: Scope,
  theCase: Case,
  { partyId, clientId }: Party,
): Promise<ForParty<MergeValues>> {
  const { values } = await sayableOf(scope, { clientId, caseId: theCase.id });
  return sealFor({ theCase, partyId }, values, []);
}
