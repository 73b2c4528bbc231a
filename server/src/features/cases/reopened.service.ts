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
type Reopening = Recorded;

/** Whether it came about since that reopening; of a case that never was reopened everything did. */
export type IsSince = (recorded: Recorded) => boolean;

/** What of a case is of the round to which this belongs, or of a later one. */
export async function sinceReopened(
  { ownerId }: Pick<Scope, "ownerId">,
  { rounds, steps }: Pick<CaseDoc, "rounds" | "steps">,
  { on, at }: Recorded,
): Promise<IsSince> {
  const timeZone = await practiceTimeZone(ownerId);
  const reopenings = rounds.map(({ status, endedAt, concludedOn }): Reopening => {
    const back = steps.find(({ from, since }) => from === status && since.getTime() === endedAt.getTime());
    return { on: concludedOn || dayIn(timeZone, endedAt), at: back?.at ?? endedAt };
  });
  const last = reopenings.findLast((reopening) => on > reopening.on || (on === reopening.on && at >= reopening.at));
  return (recorded) =>
    last === undefined || (recorded.at >= last.at && (recorded.on || dayIn(timeZone, recorded.at)) >= last.on);
}
