import { takeTurnOf } from "../../core/turns.ts";

/** Of a finding about safety and a meeting of the parties at the same moment one comes after the other. */
export const takeSafetyTurn = (ownerId: string, caseId: string): Promise<void> =>
  takeTurnOf(ownerId, `safety:${caseId}`);
