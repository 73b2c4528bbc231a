// What was said, done or kept of one party of a case, wherever it is recorded.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";

interface OfParty {
  caseId: string;
  partyId: string;
  clientId: string;
}

type Find = (scope: Scope, of: OfParty) => Promise<boolean>;
const traces: { what: string; find: Find }[] = [];

/** What a feature records of a party, in words; called once, beside the code that records it. */
export const definePartyTrace = (what: string, find: Find): void => void traces.push({ what, find });

/** In words what is recorded of this party; empty where nothing is. */
export async function tracesOf(scope: Scope, of: OfParty): Promise<string[]> {
  const found: string[] = [];
  for (const { what, find } of traces) if (await find(scope, of)) found.push(what);
  return [...new Set(found)];
}

/** What of a case names this party or their client, or is for or about them alone. */
export const isAboutParty = ({ caseId, partyId, clientId }: OfParty) => ({
  caseId,
  $or: [{ clientId }, { "visibility.partyIds": partyId }, { "visibility.aboutPartyIds": partyId }],
});

/** The words for what not everybody of the practice may know of. */
export const KEPT = "something is kept of them";

export const notCancelled = mongoose.trusted({ $ne: "cancelled" as const });
