// Somebody died or left: what they said, signed or agreed to, they did until that day. Free of zod.
import { LEFT_PARTY_STATUSES, type PartyStatus } from "./case-states.ts";

interface Step {
  on?: string | undefined;
}
/** As it is stored, with all steps, or as it is shown, with the last one. */
export type Mortal = { status: PartyStatus } & ({ steps: readonly Step[] } | { lastStep: Step | null });

const lastStepOf = (party: Mortal): Step | null | undefined => ("steps" in party ? party.steps.at(-1) : party.lastStep);
const lastDayOf = (party: Mortal): string => lastStepOf(party)?.on ?? "";

/** The day on which this party died; empty where they live, or nobody knows it. */
export const diedOn = (party: Mortal): string => (party.status === "died" ? lastDayOf(party) : "");

/** Whether this party had died before this day. */
export const hadDied = (party: Mortal, day: string): boolean => diedOn(party) !== "" && day > diedOn(party);

/** The same of whoever takes no part any more, for whichever reason. */
export const hadLeft = (party: Mortal, day: string): boolean =>
  LEFT_PARTY_STATUSES.includes(party.status) && lastDayOf(party) !== "" && day > lastDayOf(party);
