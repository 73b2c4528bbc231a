// What was said in an earlier round of a case, before it was reopened, says nothing of the one that goes on now.
import { dayIn } from "@app/shared/days";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import type { CaseDoc } from "./cases.model.ts";

/** What came about on a day, and was recorded at a moment. */
interface Recorded {
  on: string;
  at: Date;
}

/** The day on which the round before ended, and when the case was reopened. */
interface Reopening extends Recorded {
  round: CaseDoc["rounds"][number];
}

/** Whether it came about since that reopening; of a case that never was reopened everything did. */
export type IsSince = (recorded: Recorded) => boolean;

type Reopened = Pick<CaseDoc, "rounds" | "steps">;

async function reopeningsOf({ ownerId }: Pick<Scope, "ownerId">, { rounds, steps }: Reopened): Promise<Reopening[]> {
  const timeZone = await practiceTimeZone(ownerId);
  return rounds.map((round) => {
    const { status, endedAt, concludedOn } = round;
    const back = steps.find(({ from, since }) => from === status && since.getTime() === endedAt.getTime());
    return { round, on: concludedOn || dayIn(timeZone, endedAt), at: back?.at ?? endedAt };
  });
}

/** Those after which this came about. */
const before = (reopenings: readonly Reopening[], { on, at }: Recorded): readonly Reopening[] =>
  reopenings.slice(0, 1 + reopenings.findLastIndex((one) => on > one.on || (on === one.on && at >= one.at)));

/** What of a case is of the round to which this belongs, or of a later one. */
export async function sinceReopened(
  scope: Pick<Scope, "ownerId">,
  theCase: Reopened,
  recorded: Recorded,
): Promise<IsSince> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const last = before(await reopeningsOf(scope, theCase), recorded).at(-1);
  return ({ on, at }) => last === undefined || (at >= last.at && (on || dayIn(timeZone, at)) >= last.on);
}

/** The rounds that were over when something came about. */
export async function roundsBefore(
  scope: Pick<Scope, "ownerId">,
  theCase: Reopened,
): Promise<(recorded: Recorded) => readonly Reopening["round"][]> {
  const reopenings = await reopeningsOf(scope, theCase);
  return (recorded) => before(reopenings, recorded).map(({ round }) => round);
}
