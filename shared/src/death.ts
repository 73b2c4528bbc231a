// Somebody died or left: what they said, signed or agreed to, they did until that day. Free of zod.
import { LEFT_PARTY_STATUSES, type PartyStatus } from "./case-states.ts";
import { dayIn } from "./days.ts";

interface Step {
  to: PartyStatus;
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

/** Somebody who takes part in a case, or did until they left. */
export type Leaving = Mortal & { leftAt: string | Date | null };

/** The day on which this party left, for whichever reason: the one of their step, which may be recorded later; empty where they take part. */
function leftOn(party: Leaving, timeZone: string): string {
  if (party.leftAt === null) return "";
  const recordedOn = dayIn(timeZone, new Date(party.leftAt));
  const last = lastStepOf(party);
  const on = last?.to === party.status && LEFT_PARTY_STATUSES.includes(last.to) ? last.on : "";
  return on && on < recordedOn ? on : recordedOn;
}

/** Whether this party had left before this day. */
export function hadLeft(party: Leaving, day: string, timeZone: string): boolean {
  const on = leftOn(party, timeZone);
  return on !== "" && day > on;
}
