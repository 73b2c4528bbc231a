// On which day somebody was asked whether it is safe, and for which session that says something.
import type { Case } from "@app/shared/cases";
import { addDays, dayIn } from "@app/shared/days";
import { type NewSafetyReview, SAFETY_REVIEW_MAX_AGE_DAYS } from "@app/shared/safety-reviews";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertInCase } from "../cases/case-days.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { heldSessions } from "./session-facts.service.ts";
import type { SessionDoc } from "./sessions.model.ts";

type Asked = Pick<NewSafetyReview, "heldOn" | "wasAskedBefore">;

/** BAD_REQUEST where the day says another thing than what is said of before and after the session began. */
export async function askedFor(
  { ownerId }: Scope,
  { startedAt }: Pick<SessionDoc, "startedAt">,
  { heldOn, wasAskedBefore }: Asked,
): Promise<Asked> {
  // Before it began there is nothing to say: it is written in time.
  if (startedAt === null) return { heldOn, wasAskedBefore: null };
  const day = dayIn(await practiceTimeZone(ownerId), startedAt);
  const { calendarDay } = await practiceDates(ownerId);
  if (wasAskedBefore === null && heldOn !== "" && heldOn <= day)
    throw badField("wasAskedBefore", "Say whether they were asked before the session began.");
  if (wasAskedBefore === true && heldOn > day)
    throw badField(
      "heldOn",
      `The session was held on ${calendarDay(day)}. Enter the day on which they were asked before it.`,
    );
  if (wasAskedBefore === false && heldOn !== "" && heldOn < day)
    throw badField(
      "heldOn",
      `The session was held on ${calendarDay(day)}, after that. Say that they were asked before it, or enter the day on which they were.`,
    );
  return { heldOn: wasAskedBefore ? heldOn || day : heldOn, wasAskedBefore };
}

/** BAD_REQUEST where they were asked before the case, too long before this session, or before the one that was held last. */
export async function assertOfThisSession(
  scope: Scope,
  theCase: Case,
  { number, startedAt, heldOn }: Pick<SessionDoc, "number" | "startedAt"> & { heldOn: string },
): Promise<void> {
  if (heldOn === "") return;
  await assertInCase(scope, theCase, "heldOn", heldOn);
  const day = dayIn(await practiceTimeZone(scope.ownerId), startedAt ?? now());
  if (heldOn < addDays(day, -SAFETY_REVIEW_MAX_AGE_DAYS))
    throw badField(
      "heldOn",
      `That is over ${SAFETY_REVIEW_MAX_AGE_DAYS} days before the session, so it says nothing of it. Ask them again.`,
    );
  const earlier = (await heldSessions(scope, theCase.id)).find((held) => {
    // Numbers are the order of writing: they tell nothing but of sessions of one day.
    const isEarlier = held.heldOn === day ? held.number < number : held.heldOn < day;
    return isEarlier && held.heldOn > heldOn;
  });
  if (!earlier) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "heldOn",
    `Session ${earlier.number} was held on ${calendarDay(earlier.heldOn)}, after that. Enter the day on which they were asked before this session.`,
  );
}
