// On which day mediation ended: not before what ended it.
import { can } from "@app/shared/access";
import type { Ending } from "@app/shared/case-states";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertInCase } from "../cases/case-days.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { lastRoundOver } from "../cases/reopened.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { foundUnsafe } from "../screenings/screening-gates.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";
import { daysOf } from "./ending-grounds.ts";

type OfCase = Pick<CaseDoc, "_id" | "parties" | "startedOn" | "createdAt" | "rounds">;

/**
 * Mediation ends on a day that has come, in its case, with no session after it, and not before what ended it, nor before
 * it had ended the last time.
 */
export async function assertEndDay(
  scope: Scope,
  theCase: OfCase,
  { ending, endedOn }: { ending: Ending | null; endedOn: string },
): Promise<void> {
  await assertInCase(scope, theCase, "endedOn", endedOn);
  if (endedOn === "") return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  const over = await lastRoundOver(scope, theCase);
  if (endedOn < over)
    throw badField(
      "endedOn",
      `This case had ended on ${calendarDay(over)} before it was reopened. Enter that day, or a later one.`,
    );
  const cause = ending && (await causeOf(scope, theCase, { ending, endedOn }));
  if (cause && endedOn < cause.on)
    throw badField("endedOn", `${cause.what(calendarDay(cause.on))} Enter that day, or a later one.`);
  const after = (await heldSessions(scope, theCase._id)).find(({ heldOn }) => heldOn > endedOn);
  if (!after) return;
  throw badField(
    "endedOn",
    `Session ${after.number} was held on ${calendarDay(after.heldOn)}. Enter that day, or a later one.`,
  );
}

const CAUSES: Partial<Record<Ending, (day: string) => string>> = {
  died: (day) => `Nobody had died by then: the first death of this case is of ${day}.`,
  withdrew: (day) => `Nobody had withdrawn by then: the first who did so is recorded as of ${day}.`,
  refused: (day) => `Nobody had refused by then: the first who did so is recorded as of ${day}.`,
  no_answer: (day) => `Nobody had left you without an answer by then: the first who did so is recorded as of ${day}.`,
  not_safe: (day) => `Nobody was found not safe by then: the first who was is recorded as of ${day}.`,
};

/** The first day on which somebody is recorded as what this end says; null where that is not known, or not for whoever asks. */
async function causeOf(
  scope: Scope,
  { _id, parties }: OfCase,
  { ending, endedOn }: { ending: Ending; endedOn: string },
): Promise<{ on: string; what: (day: string) => string } | null> {
  const what = CAUSES[ending];
  if (!what || (ending === "not_safe" && !can(scope, "screening.read"))) return null;
  const found = ending === "not_safe" ? await foundUnsafe(scope, _id) : null;
  const days = parties.flatMap((party) => {
    const foundOn = found?.get(party.partyId)?.on;
    return foundOn === undefined ? daysOf(party, ending, endedOn) : [foundOn];
  });
  const [on = ""] = days.toSorted();
  return on === "" ? null : { on, what };
}
