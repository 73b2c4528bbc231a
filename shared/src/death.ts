// Somebody died or left: what they said, signed or agreed to, they did until that day. Free of zod.
import { hasSigned, LEFT_PARTY_STATUSES, type PartyStatus } from "./case-states.ts";

interface Step {
  /** Left out where only the way there counts. */
  from?: PartyStatus;
  to: PartyStatus;
  on?: string | undefined;
}
/** The days (yyyy-mm-dd) on which somebody left and came back; `to` is empty where they did not. */
export interface Away {
  from: string;
  to: string;
}
/** As it is stored, with all steps, or as it is shown, with the last one. */
export type Mortal = { status: PartyStatus } & ({ steps: readonly Step[] } | { lastStep: Step | null });

const lastStepOf = (party: Mortal): Step | null | undefined => ("steps" in party ? party.steps.at(-1) : party.lastStep);

/** The day on which this party died; empty where they live, or nobody knows it. */
export const diedOn = (party: Mortal): string => (party.status === "died" ? (lastStepOf(party)?.on ?? "") : "");

/** Whether this party had died before this day. */
export const hadDied = (party: Mortal, day: string): boolean => diedOn(party) !== "" && day > diedOn(party);

interface Stepping {
  status: PartyStatus;
  steps: readonly Step[];
  leftAt: Date | null;
}

/** As it is stored, or as it is shown. */
export type Leaver = Stepping | { daysAway: readonly Away[] };

/** When this party took no part. */
export const awayOf = (party: Leaver): readonly Away[] => ("daysAway" in party ? party.daysAway : daysAwayIn(party));

/** Whether this party took no part on this day, for whichever reason, wherever they stand now. */
export const hadLeft = (party: Leaver, day: string): boolean =>
  awayOf(party).some(({ from, to }) => from < day && (to === "" || day < to));

/**
 * When somebody took no part, by the days of their steps: from the first that led out until they signed again. Whoever
 * rang, or was screened, after they had left is not back at the table by that.
 */
export function daysAwayIn({ status, steps, leftAt }: Stepping): Away[] {
  const away: Away[] = [];
  let from: string | null = null;
  for (const { to, on = "" } of steps) {
    if (LEFT_PARTY_STATUSES.includes(to)) from ??= on;
    else if (from !== null && hasSigned({ status: to })) {
      away.push({ from, to: on });
      from = null;
    }
  }
  const isBack = !LEFT_PARTY_STATUSES.includes(status) && (from === null || hasSigned({ status }));
  // By a screening, which is no step, or by one whose day is not known, they left when that was recorded.
  if (!isBack) away.push({ from: from || (leftAt?.toISOString().slice(0, 10) ?? ""), to: "" });
  // Of some it is not known when they left, or that they came back on a day.
  return away.filter((each, at) => each.from !== "" && (each.to !== "" || at === away.length - 1));
}

/** As it is stored, or as it is shown. */
export type Returner = Pick<Stepping, "steps"> | { daysOut: readonly Away[] };

/** When this party was out of the case: whoever is back in it may have to sign again before they mediate. */
export const outOf = (party: Returner): readonly Away[] => ("daysOut" in party ? party.daysOut : daysOutIn(party));

/** The day on which this party last came back until this day; empty where they never left, or nobody knows it. */
export const backOn = (party: Returner, until: string): string =>
  outOf(party).findLast(({ to }) => to !== "" && to <= until)?.to ?? "";

/**
 * When somebody was out of the case, by the days of their steps: an invitation that they have not answered brings nobody
 * back. Whoever came back by a screening, which is no step, did so on a day that is not known here.
 */
export function daysOutIn({ steps }: Pick<Stepping, "steps">): Away[] {
  const out: Away[] = [];
  let from: string | null = null;
  for (const step of steps) {
    if (LEFT_PARTY_STATUSES.includes(step.to)) from ??= step.on ?? "";
    else if (from !== null && step.to !== "invited") {
      if (isOut(step.from)) out.push({ from, to: step.on ?? "" });
      from = null;
    }
  }
  if (from !== null) out.push({ from, to: "" });
  return out.filter((each) => each.from !== "");
}

const isOut = (status: PartyStatus | undefined): boolean =>
  status === undefined || status === "invited" || LEFT_PARTY_STATUSES.includes(status);
