// On which day mediation ended: not before what ended it.
import { can } from "@app/shared/access";
import { countSides, type Ending, isTakingPart } from "@app/shared/case-states";
import { diedOn } from "@app/shared/death";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertInCase } from "../cases/case-days.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { foundUnsafe } from "../screenings/screening-gates.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";
import { BY_SOMEBODY } from "./ending-grounds.ts";

type OfCase = Pick<CaseDoc, "_id" | "parties" | "startedOn" | "createdAt">;

/** Mediation ends on a day that has come, in its case, with no session after it, and not before what ended it. */
export async function assertEndDay(
  scope: Scope,
  theCase: OfCase,
  { ending, endedOn }: { ending: Ending | null; endedOn: string },
): Promise<void> {
  await assertInCase(scope, theCase, "endedOn", endedOn);
  if (endedOn === "") return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  const cause = ending && (await causeOf(scope, theCase, ending));
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
  not_safe: (day) => `Nobody was found not safe by then: the first who was is recorded as of ${day}.`,
};

/** The first day on which somebody is recorded as what this end says; null where that is not known, or not for whoever asks. */
async function causeOf(
  scope: Scope,
  { _id, parties }: OfCase,
  ending: Ending,
): Promise<{ on: string; what: (day: string) => string } | null> {
  const what = CAUSES[ending];
  if (!what || (ending === "not_safe" && !can(scope, "screening.read"))) return null;
  const found = ending === "not_safe" ? await foundUnsafe(scope, _id) : null;
  const days = parties.flatMap((party) => {
    const foundOn = found?.get(party.partyId)?.on;
    if (foundOn !== undefined) return [foundOn];
    return BY_SOMEBODY[ending]?.includes(party.status) ? [dayOfStep(party)] : [];
  });
  const [on = ""] = days.toSorted();
  return on === "" ? null : { on, what };
}

/** Empty where somebody stands there by no step of their own. */
function dayOfStep(party: CaseDoc["parties"][number]): string {
  const last = lastStepOf(party);
  return last?.to === party.status ? (last.on ?? "") : "";
}

/** Why it did not break down by this day: a death had left one side alone. Null where none had. */
export function partedByDeath({ parties }: Pick<CaseDoc, "parties">, day: string): string | null {
  const dead = parties.filter((party) => party.status === "died" && diedOn(party) <= day);
  const there = parties.filter(isTakingPart);
  if (countSides(there) > 1 || countSides([...there, ...dead]) < 2) return null;
  return "Somebody died, and one side was left, so mediation did not break down. Choose “Somebody died”, or enter the day before it on which mediation broke down.";
}
