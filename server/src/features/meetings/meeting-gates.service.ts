import type { z } from "zod";
import type { setAttendanceSchema } from "@app/shared/meetings";
import type { Scope } from "../../core/trpc.ts";
import type { Missing } from "../screenings/missing-then.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** What a meeting is, who comes to it, and whether it stands. */
export type Standing = Pick<MeetingDoc, "_id" | "type" | "partyIds" | "mediatorIds" | "status">;

type Gate = (scope: Scope, before: Standing, after: Standing) => Promise<void>;
const gates: Gate[] = [];

/** What keeps a meeting as it is, asked of each change of it; throws where it may not change. Called once, beside the code that does it. */
export const defineMeetingGate = (gate: Gate): void => void gates.push(gate);

export async function assertMayChange(...change: Parameters<Gate>): Promise<void> {
  for (const gate of gates) await gate(...change);
}

type HeldGate = (scope: Scope, held: MeetingDoc) => Promise<Missing[]>;
const heldGates: HeldGate[] = [];

/** What was missing for those who met there, asked of each meeting that is recorded as held, as it is to be stored. */
export const defineHeldGate = (gate: HeldGate): void => void heldGates.push(gate);

export async function missingWhenHeld(...held: Parameters<HeldGate>): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const gate of heldGates) missing.push(...(await gate(...held)));
  return missing;
}

type MarkGate = (scope: Scope, mark: z.output<typeof setAttendanceSchema>) => Promise<void>;
const markGates: MarkGate[] = [];

/** What keeps who came as it is, asked of each mark that is made by hand; throws where it may not be made. */
export const defineMarkGate = (gate: MarkGate): void => void markGates.push(gate);

export async function assertMayMark(...marking: Parameters<MarkGate>): Promise<void> {
  for (const gate of markGates) await gate(...marking);
}
