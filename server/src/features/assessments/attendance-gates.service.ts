import type { Scope } from "../../core/trpc.ts";

export interface AttendedDay {
  caseId: string;
  partyId: string;
  /** Where the day was entered. */
  field: string;
  on: string;
}

type Gate = (scope: Scope, attended: AttendedDay) => Promise<void>;
const gates: Gate[] = [];

/** What stands against a first meeting of this day here; throws where something does. Called once, beside the code that knows it. */
export const defineAttendanceGate = (gate: Gate): void => void gates.push(gate);

export async function assertMayHaveAttended(...attended: Parameters<Gate>): Promise<void> {
  for (const gate of gates) await gate(...attended);
}
