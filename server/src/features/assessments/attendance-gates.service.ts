import type { Scope } from "../../core/trpc.ts";

export interface AttendedDay {
  caseId: string;
  partyId: string;
  /** Where the day was entered. */
  field: string;
  on: string;
  /** The meeting of the calendar that it is recorded of; null or left out where of none. */
  meetingId?: string | null;
}

type Gate = (scope: Scope, attended: AttendedDay) => Promise<void>;
const gates: Gate[] = [];

/** What stands against a first meeting of this day here; throws where something does. Called once, beside the code that knows it. */
export const defineAttendanceGate = (gate: Gate): void => void gates.push(gate);

interface Conducted extends Omit<AttendedDay, "field"> {
  mediatorId: string;
}

type ConductorGate = (scope: Scope, conducted: Conducted) => Promise<void>;
const conductorGates: ConductorGate[] = [];

/** The same against who is said to have held it. */
export const defineConductorGate = (gate: ConductorGate): void => void conductorGates.push(gate);

export async function assertMayHaveConducted(...conducted: Parameters<ConductorGate>): Promise<void> {
  for (const gate of conductorGates) await gate(...conducted);
}

export async function assertMayHaveAttended(...attended: Parameters<Gate>): Promise<void> {
  for (const gate of gates) await gate(...attended);
}

type HoursGate = (scope: Scope, conducted: Conducted) => Promise<string[]>;
const hoursGates: HoursGate[] = [];

/** What whoever is said to have held it held in another case at that time, in words, for which they say why. */
export const defineHoursGate = (gate: HoursGate): void => void hoursGates.push(gate);

export async function heldMeanwhile(...conducted: Parameters<HoursGate>): Promise<string[]> {
  const held: string[] = [];
  for (const gate of hoursGates) held.push(...(await gate(...conducted)));
  return held;
}
