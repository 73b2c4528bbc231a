// A screening that was recorded in error, such as of the wrong person: it stays to be read, and counts for nothing.
import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import { byDayHeld, dayHeld } from "@app/shared/screening-days";
import type { Screening, strikeScreeningSchema } from "@app/shared/screenings";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfStep } from "../cases/case-changes.service.ts";
import { partyIn } from "../cases/case-parties.service.ts";
import { unsettleSides } from "../cases/case-steps.service.ts";
import { findCaseDoc, getCase, requireParty } from "../cases/cases.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { disownEntry } from "../safeguarding/opened-entries.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { foundElsewhere, takeTurnsAround } from "./found-elsewhere.service.ts";
import { askToScreenAgain, followingOf, hasOpenConcern } from "./screening-again.service.ts";
import { unfollowScreening } from "./screening-effects.ts";
import { tellStruckFollowers } from "./screening-followers.service.ts";
import { askForJudgement, endJudgementTasks } from "./screening-confirmations.service.ts";
import { findScreening } from "./screening-search.ts";
import {
  type ScreeningDoc,
  ScreeningModel,
  isUnjudged,
  sealStruck,
  STANDING,
  toScreening,
} from "./screenings.model.ts";
import { assertMayLessen, NEEDS } from "./screenings.service.ts";
import { tellOfFinding } from "./told-elsewhere.service.ts";

/** What followed from it follows from the one that was held before it, or from none. */
export const strikeScreening = (
  scope: Scope,
  { id, reason }: z.output<typeof strikeScreeningSchema>,
): Promise<Screening> =>
  inTransaction(async () => {
    const { ownerId, userName: byName } = scope;
    const { caseId } = await findScreening(scope, id);
    await takeTurnsAround(ownerId, caseId);
    const doc = await findScreening(scope, id);
    if (doc.status === "struck") throw wrongState("This screening is struck already. Screen them again.");
    assertMayLessen(scope, doc, null);
    const contentEnc = sealStruck(doc, { at: now().toISOString(), byName, reason });
    const struck = await ScreeningModel.findOneAndUpdate(
      { ownerId, _id: id },
      { $set: { status: "struck", contentEnc } },
      { returnDocument: "after", lean: true },
    );
    if (!struck) throw notFound("Screening");
    if (doc.status === "completed") await followInstead(scope, doc);
    await disownEntry(scope, { caseId, screeningId: id, reason });
    await tellStruckFollowers(scope, doc);
    await tell(scope, doc);
    return toScreening(struck);
  });

/** The one that was held last before it counts again, and its party stands where that says. */
async function followInstead(scope: Scope, struck: ScreeningDoc): Promise<void> {
  const { ownerId } = scope;
  const { caseId, partyId } = struck;
  const timeZone = await practiceTimeZone(ownerId);
  const others = await ScreeningModel.find({ ownerId, caseId, partyId, ...STANDING }).lean();
  const [instead] = others.toSorted(byDayHeld(timeZone));
  if (instead) await ScreeningModel.updateOne({ ownerId, _id: instead._id }, { $set: { status: "completed" } });
  await endJudgementTasks(scope, partyId);
  const theCase = await findCaseDoc(scope, caseId);
  if (instead && isUnjudged(instead)) await askForJudgement(scope, theCase, partyIn(theCase, partyId));
  const { version } = theCase;
  const on = instead ? dayHeld(instead, timeZone) : "";
  await changeCase(scope, { id: caseId, version }, async (draft) => {
    // On one that a mediator has yet to judge nobody is suitable.
    const judged = instead && !isUnjudged(instead) ? instead : undefined;
    unfollowScreening(draft, partyId, { struck, instead: judged, on });
    const again = unsettleSides(draft);
    if (again)
      await tellOfStep(scope, draft, { text: `Two sides take part again: case back to ${CASE_STATUS_NAMES[again]}` });
  });
  await callOff({ ownerId, caseId, abouts: [followingOf(struck._id)] });
  const measures = (instead?.measures ?? []).filter((measure) => !struck.measures.includes(measure));
  // What was found elsewhere holds again where the struck one alone had looked at it.
  const isOpen = (await foundElsewhere(scope, caseId, partyId)).length > 0;
  // So does the concern of a review that it alone had answered.
  const isConcern = await hasOpenConcern(scope, { caseId, partyId });
  if (isConcern) await askToScreenAgain(scope, { caseId, party: await namedIn(scope, { caseId, partyId }) });
  const isUnsafe = (struck.suitable !== "no" && (!instead || instead.suitable === "no" || isOpen)) || isConcern;
  await tellOfFinding(scope, { caseId, partyId, measures, isUnsafe });
}

const namedIn = async (scope: Scope, { caseId, partyId }: { caseId: string; partyId: string }) =>
  requireParty(await getCase(scope, caseId), partyId);

/** In the history for whoever reads screenings, and as a task: what was recorded since may rest on it. */
async function tell(scope: Scope, { caseId, partyId, ...doc }: ScreeningDoc): Promise<void> {
  const theCase = await findCaseDoc(scope, caseId);
  const { label, clientId } = partyIn(theCase, partyId);
  const { calendarDay } = await practiceDates(scope.ownerId);
  const day = calendarDay(dayHeld(doc, await practiceTimeZone(scope.ownerId)));
  const text = `Screening of ${label} of ${day} struck as recorded in error`;
  await tellOfStep(scope, theCase, { text, needs: NEEDS });
  const title = `Safety: look at what rests on the struck screening of ${label} of ${day}, such as a MIAM`;
  const dueOn = await practiceToday(scope.ownerId);
  await createTasks(scope, [{ title, caseId, clientId, dueOn, assigneeId: scope.userId, needs: NEEDS }]);
}
