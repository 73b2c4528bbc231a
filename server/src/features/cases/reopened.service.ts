// What was said in an earlier round of a case, before it was reopened, says nothing of the one that goes on now.
import { isSentBack } from "@app/shared/case-transitions";
import { dayIn } from "@app/shared/days";
import type { Scope } from "../../core/trpc.ts";
import { badField } from "../../core/errors.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import type { CaseDoc } from "./cases.model.ts";

/** What came about on a day, and was recorded at a moment. */
interface Recorded {
  on: string;
  at: Date;
}

/** Whether it came about since a reopening; of a case that never was reopened everything did. */
export type IsSince = (recorded: Recorded) => boolean;

interface Reopenings {
  /** The rounds that were over when something came about. */
  over: (recorded: Recorded) => readonly CaseDoc["rounds"][number][];
  /** What of a case is of the round to which this belongs, or of a later one. */
  since: (recorded: Recorded) => IsSince;
  /** Whether it came about after the day on which a round ended, and before the case was reopened. */
  isBetween: (recorded: Recorded) => boolean;
}

/** Of each round of a case the day on which it ended, and when the case was reopened after it. */
export async function reopeningsOf(
  { ownerId }: Pick<Scope, "ownerId">,
  { rounds, steps }: Pick<CaseDoc, "rounds" | "steps">,
): Promise<Reopenings> {
  const timeZone = await practiceTimeZone(ownerId);
  const reopenings = rounds.map((round) => {
    const { status, endedAt } = round;
    const back = steps.find(({ from, since }) => from === status && since.getTime() === endedAt.getTime());
    return { round, on: overOn(round, timeZone), at: back?.at ?? endedAt };
  });
  const before = ({ on, at }: Recorded) =>
    reopenings.slice(0, 1 + reopenings.findLastIndex((one) => on > one.on || (on === one.on && at >= one.at)));
  return {
    isBetween: ({ on, at }) => reopenings.some((one) => on > one.on && at < one.at),
    over: (recorded) => before(recorded).map(({ round }) => round),
    since(recorded) {
      const last = before(recorded).at(-1);
      return ({ on, at }) => last === undefined || (at >= last.at && (on || dayIn(timeZone, at)) >= last.on);
    },
  };
}

type Round = CaseDoc["rounds"][number];

const overOn = ({ concludedOn, endedAt }: Round, timeZone: string): string => concludedOn || dayIn(timeZone, endedAt);

/** On which day mediation was over before this case was sent back to it; empty where it never was. */
export async function sentBackFrom({ ownerId }: Pick<Scope, "ownerId">, { rounds }: Rounds): Promise<string> {
  const last = rounds.findLast(({ status }) => isSentBack({ from: status, to: "assessing" }));
  return last ? overOn(last, await practiceTimeZone(ownerId)) : "";
}

/** On which day the last round of this case was over, however it ended; empty where it has one alone. */
export async function lastRoundOver({ ownerId }: Pick<Scope, "ownerId">, { rounds }: Rounds): Promise<string> {
  const last = rounds.at(-1);
  return last ? overOn(last, await practiceTimeZone(ownerId)) : "";
}

type Rounds = Pick<CaseDoc, "rounds">;

/** BAD_REQUEST at this field where somebody is said to have decided or signed something in an earlier round of their case. */
export async function assertOfThisRound(scope: Scope, theCase: Rounds, field: string, day: string): Promise<void> {
  const over = await lastRoundOver(scope, theCase);
  if (day >= over) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    field,
    `This case had ended on ${calendarDay(over)} before it was reopened, and what was said or signed before that counts no more. Ask them anew, and enter the day of that.`,
  );
}
