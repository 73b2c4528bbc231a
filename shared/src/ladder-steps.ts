// How far somebody was tried by the steps of the practice's ladder, and what follows.
import type { PartyStatus } from "./case-states.ts";
import { addDays } from "./days.ts";
import type { InviteChannel, LadderRung } from "./ladders.ts";

/** On how many days somebody is rung who does not pick up, until the step of a call counts as tried. */
const CALL_DAYS = 2;

interface Made {
  channel: InviteChannel;
  /** The day on which it was made. */
  on: string;
  /** Empty where there is nothing to answer, or nobody set a day. */
  replyBy: string;
  /** Why it was made by another channel than its step has; empty for one that was not. */
  insteadBecause: string;
  /** Of a call, what became of it. */
  call?: string;
}

/** A call that reached nobody is no invitation, and yet was tried. */
export const isUnreached = ({ call }: Pick<Made, "call">): boolean => call === "nobody";

/**
 * Which rung each of these attempts takes, the oldest first: the first free one of its channel or, where it is said why
 * another was used, the first free one; else one whose own way is not safe. Null for one that takes none, also because it
 * came before the days of that rung were over, or reached nobody and was not tried on enough days.
 */
export function rungsTaken(rungs: readonly LadderRung[], attempts: readonly Made[]): (number | null)[] {
  const free = new Set(rungs.keys());
  const daysRung = new Set<string>();
  let last = "";
  return attempts.map((attempt) => {
    const { on, replyBy } = attempt;
    if (isUnreached(attempt)) daysRung.add(on);
    const isTried = isUnreached(attempt) ? daysRung.size >= CALL_DAYS : replyBy !== "";
    const index = rungFor(rungs, free, attempt);
    if (index === undefined || !isTried) return null;
    if (last !== "" && on < addDays(last, rungs[index]?.afterDays ?? 0)) return null;
    if (isUnreached(attempt)) daysRung.clear();
    free.delete(index);
    last = on;
    return index;
  });
}

function rungFor(
  rungs: readonly LadderRung[],
  free: ReadonlySet<number>,
  { channel, insteadBecause }: Made,
): number | undefined {
  const among = [...free];
  const own = among.find(
    (each) => rungs[each]?.channel === channel || (insteadBecause !== "" && !isUnsafe(rungs[each])),
  );
  if (own !== undefined || rungs.some((each) => each.channel === channel && isUnsafe(each))) return own;
  return among.find((each) => isUnsafe(rungs[each]));
}

const isUnsafe = (rung: LadderRung | undefined): boolean => rung?.isForbidden === true;

/** The attempts in the order in which they were made, whenever they were written down. */
export const inOrder = <Attempted extends Pick<Made, "on">>(attempts: readonly Attempted[]): Attempted[] =>
  attempts.toSorted((one, other) => one.on.localeCompare(other.on));

/** Which steps, the first of them 1, none of these attempts takes. */
export function untriedOf(
  rungs: readonly LadderRung[],
  attempts: readonly Made[],
): { step: number; channel: InviteChannel; isUnsafe: boolean }[] {
  const taken = rungsTaken(rungs, attempts);
  return rungs
    .map((rung, index) => ({ step: index + 1, channel: rung.channel, isUnsafe: isUnsafe(rung) }))
    .filter(({ step }) => !taken.includes(step - 1));
}

/**
 * The rung that comes next, which is the first that nobody took, those whose way is safe before the others. Whoever goes on
 * after all of them takes the last again.
 */
export function nextRung(rungs: readonly LadderRung[], attempts: readonly Made[]): number {
  const untried = untriedOf(rungs, attempts);
  const next = untried.find((one) => !one.isUnsafe) ?? untried.at(0);
  return (next?.step ?? rungs.length) - 1;
}

export const isLadderOver = (rungs: readonly LadderRung[], attempts: readonly Made[]): boolean =>
  untriedOf(rungs, attempts).length === 0;

export type FollowUp = { kind: "next"; rung: number; dueOn: string } | { kind: "no_response"; dueOn: string };

/** What is to be done if nobody answers these, and on which day. Null where nobody said until when to answer the last. */
export function followUpOf(rungs: readonly LadderRung[], attempts: readonly Made[]): FollowUp | null {
  const last = attempts.findLast((one) => !isUnreached(one));
  if (!last || last.replyBy === "") return null;
  const rungOn = attempts.findLast(isUnreached)?.on;
  if (isLadderOver(rungs, attempts)) return { kind: "no_response", dueOn: latest(addDays(last.replyBy, 1), rungOn) };
  const index = nextRung(rungs, attempts);
  const earliest = latest(last.replyBy, addDays(last.on, rungs[index]?.afterDays ?? 0));
  return { kind: "next", rung: index, dueOn: latest(earliest, rungOn && addDays(rungOn, 1)) };
}

const latest = (day: string, other = ""): string => (other > day ? other : day);

/** Whether everything was tried and the last day to answer is over: then a person may say that there is no response. */
export function isNoResponseProposed(
  status: PartyStatus,
  rungs: readonly LadderRung[],
  { attempts, today }: { attempts: readonly Made[]; today: string },
): boolean {
  const last = attempts.findLast((one) => !isUnreached(one));
  if (status !== "invited" || !last || last.replyBy === "") return false;
  return isLadderOver(rungs, attempts) && last.replyBy < today;
}
