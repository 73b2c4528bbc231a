// What was said in an earlier round of a case, before it was reopened, says nothing of the one that goes on now.
import { countSides } from "@app/shared/case-states";
import { isSentBack } from "@app/shared/case-transitions";
import { dayIn } from "@app/shared/days";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { badField } from "../../core/errors.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import type { CaseDoc, PartyDoc } from "./cases.model.ts";

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
  /** The same, where what was signed counts still unless mediation was over: whoever was sent back to it signs anew. */
  signedSince: (recorded: Recorded) => IsSince;
  /**
   * Whether it came about after the day on which a round ended, and before the case was reopened: by the day on which two
   * sides had signed anew where that is known, and else by the moment at which the reopening was recorded.
   */
  isBetween: (recorded: Recorded) => boolean;
  /** Whether two sides had signed anew by then, though the reopening was recorded only later. */
  wasBackBefore: (recorded: Recorded) => boolean;
}

type OfCase = Pick<CaseDoc, "rounds" | "steps"> & {
  parties: readonly Pick<PartyDoc, "partyId" | "side" | "steps">[];
};

/** Of each round of a case the day on which it ended, and when the case was reopened after it. */
export async function reopeningsOf(
  { ownerId }: Pick<Scope, "ownerId">,
  { rounds, steps, parties }: OfCase,
): Promise<Reopenings> {
  const timeZone = await practiceTimeZone(ownerId);
  const ends = rounds.map((round) => {
    const { status, endedAt } = round;
    const back = steps.find(({ from, since }) => from === status && since.getTime() === endedAt.getTime());
    return { on: overOn(round, timeZone), at: back?.at ?? endedAt, round };
  });
  // Where mediation was not over, what they had signed before counts still.
  const reopenings = ends.map((over, index) => ({
    ...over,
    signedOn: signedOn(parties, ends.slice(0, index + 1).findLast(isOfMediation) ?? NEVER),
  }));
  const before = ({ on, at }: Recorded) =>
    reopenings.slice(0, 1 + reopenings.findLastIndex((one) => on > one.on || (on === one.on && at >= one.at)));
  const sinceLastOf =
    (over: readonly Recorded[]): IsSince =>
    ({ on, at }) => {
      const last = over.at(-1);
      return last === undefined || (at >= last.at && (on || dayIn(timeZone, at)) >= last.on);
    };
  const beforeReopened = ({ on, at }: Recorded) => reopenings.filter((one) => on > one.on && at < one.at);
  return {
    isBetween: (recorded) => beforeReopened(recorded).some(({ signedOn: day }) => day === "" || recorded.on < day),
    wasBackBefore: (recorded) => beforeReopened(recorded).some(({ signedOn: day }) => day !== "" && recorded.on >= day),
    over: (recorded) => before(recorded).map(({ round }) => round),
    since: (recorded) => sinceLastOf(before(recorded)),
    signedSince: (recorded) => sinceLastOf(before(recorded).filter(isOfMediation)),
  };
}

const NEVER: Recorded = { on: "", at: new Date(0) };

/** Whether mediation was over with this round, so that whoever is sent back to it signs anew. */
const isOfMediation = ({ round }: { round: CaseDoc["rounds"][number] }): boolean =>
  isSentBack({ from: round.status, to: "assessing" });

/** The first day by which people of two sides had signed since then; empty where they have not. */
function signedOn(parties: OfCase["parties"], over: Recorded): string {
  const days = parties.flatMap(({ partyId, side, steps }) => {
    const signed = steps.flatMap(({ to, at, on = "" }) =>
      to === "agreement_signed" && at >= over.at && on >= over.on ? [on] : [],
    );
    const [first] = signed.toSorted();
    return first === undefined ? [] : [{ partyId, side, on: first }];
  });
  const until = (day: string) => days.filter(({ on }) => on <= day);
  return (
    days
      .map(({ on }) => on)
      .toSorted()
      .find((day) => countSides(until(day)) > 1) ?? ""
  );
}

/** The days on which this party signed, of those that count in a round; of whoever was taken over as signed only the day is known. */
export function signaturesOf(
  { agreementSignedOn, steps }: Pick<PartyDoc, "agreementSignedOn" | "steps">,
  isSigned: IsSince,
): string[] {
  const signed = steps.filter(({ to }) => to === "agreement_signed");
  const isOfStep = signed.some(({ on }) => on === agreementSignedOn);
  const taken = isOfStep || agreementSignedOn === "" ? [] : [{ on: agreementSignedOn, at: now() }];
  return [...taken, ...signed.map(({ on = "", at }) => ({ on, at }))]
    .filter((one) => one.on !== "" && isSigned(one))
    .map(({ on }) => on);
}

type Round = CaseDoc["rounds"][number];
/** As it is stored, or as it is shown. */
type Over = Pick<Round, "concludedOn"> & { endedAt: Date | string };

const overOn = ({ concludedOn, endedAt }: Over, timeZone: string): string =>
  concludedOn || dayIn(timeZone, new Date(endedAt));

/** On which day mediation was over before this case was sent back to it; empty where it never was. */
export async function sentBackFrom({ ownerId }: Pick<Scope, "ownerId">, { rounds }: Rounds): Promise<string> {
  const last = rounds.findLast((round) => isOfMediation({ round }));
  return last ? overOn(last, await practiceTimeZone(ownerId)) : "";
}

/** On which day mediation was over in the round in which something was recorded at this moment; empty where it goes on. */
export async function endAfter({ ownerId }: Pick<Scope, "ownerId">, { rounds }: Rounds, at: Date): Promise<string> {
  const ended = rounds.find((round) => isOfMediation({ round }) && at <= round.endedAt);
  return ended ? overOn(ended, await practiceTimeZone(ownerId)) : "";
}

/**
 * On which day the last round of this case was over, however it ended; empty where it has one alone. What was consented to,
 * agreed, refused or said before that day counts in the round that goes on only where it is said anew.
 */
export async function lastRoundOver(
  { ownerId }: Pick<Scope, "ownerId">,
  { rounds }: { rounds: readonly Over[] },
): Promise<string> {
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
