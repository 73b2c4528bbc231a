// What goes with a lead that becomes a client: each feature that keeps something of it says so.
import type { Scope } from "../../core/trpc.ts";

export interface ConvertedLead {
  leadId: string;
  clientId: string;
  caseId: string;
  partyId: string;
}

interface Passed {
  /** Whether what the lead says of its matter may be read by the whole practice. */
  isSummaryForPractice: boolean;
}

type PassOn = (scope: Scope, of: ConvertedLead) => Promise<Passed>;
const passing: PassOn[] = [];

/** Called once, beside what keeps something of a lead; it runs in the transaction that makes a client of the lead. */
export const defineLeadConversion = (passOn: PassOn): void => void passing.push(passOn);

export async function passOnWithLead(scope: Scope, of: ConvertedLead): Promise<Passed> {
  const passed: Passed[] = [];
  for (const passOn of passing) passed.push(await passOn(scope, of));
  return { isSummaryForPractice: passed.every(({ isSummaryForPractice }) => isSummaryForPractice) };
}
