// Whoever does not mediate asks the questions; that somebody who told of a risk is suitable all the same a mediator judges.
import { dayHeld } from "@app/shared/screening-days";
import { risksIn } from "@app/shared/screening-limits";
import type { CompleteScreening, Judgement, Screening } from "@app/shared/screenings";
import { mayMediate } from "@app/shared/team-access";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { endTasksWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { endScreeningAgain } from "./screening-again.service.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { followScreening, statusAfter } from "./screening-effects.ts";
import { tellSafetyFollowers } from "./screening-followers.service.ts";
import { findScreening } from "./screening-search.ts";
import { ScreeningModel, toScreening } from "./screenings.model.ts";

const ONLY_THEY_JUDGE = "Only the owner of the practice or a mediator confirms a screening.";

/** What it needs as it is recorded: that somebody is not safe holds at once, whoever found it. */
export function judgementOf({ role }: Pick<Scope, "role">, { suitable, answers }: CompleteScreening): Judgement {
  if (mayMediate(role)) return "given";
  return suitable !== "no" && risksIn(answers).length > 0 ? "needed" : "open";
}

/** What a task ends with that asks a mediator to judge what somebody else found. */
const askedOf = (partyId: string): string => `judgement of ${partyId}`;

export const endJudgementTasks = (scope: Scope, partyId: string): Promise<void> =>
  endTasksWith(scope, askedOf(partyId));

/** A mediator of the case reads it, and confirms it or screens them again; until then nobody meets on it. */
export async function askForJudgement(
  scope: Scope,
  { _id: caseId, mediators }: Pick<CaseDoc, "_id" | "mediators">,
  { partyId, clientId, label }: { partyId: string; clientId: string; label: string },
): Promise<void> {
  const { userId } = mediators.find(({ isLead }) => isLead) ?? { userId: scope.ownerId };
  const title = `Safety: ${label} told of a risk: read their screening, and confirm it or screen them again`;
  const dueOn = await practiceToday(scope.ownerId);
  const task = { caseId, clientId, dueOn, assigneeId: userId, needs: "screening.read" } as const;
  await createTasks(scope, [{ ...task, title, endsWith: askedOf(partyId) }]);
}

/** One act: what was found counts from now on as if this mediator had found it. */
export const confirmScreening = (scope: Scope, { id }: { id: string }): Promise<Screening> =>
  inTransaction(async () => {
    const { ownerId, userName: confirmedByName } = scope;
    const { caseId, partyId } = await findScreening(scope, id);
    if (!mayMediate(scope.role)) throw forbidden(ONLY_THEY_JUDGE);
    await takeSafetyTurn(ownerId, caseId);
    const doc = await findScreening(scope, id);
    if (doc.status === "struck")
      throw wrongState("This screening is struck, so it no longer counts. Screen them again.");
    if ((doc.judgement ?? "given") === "given") return toScreening(doc);
    const confirmed = await ScreeningModel.findOneAndUpdate(
      { ownerId, _id: id },
      { $set: { judgement: "given", confirmedByName, confirmedAt: now() } },
      { returnDocument: "after", lean: true },
    );
    if (!confirmed) throw notFound("Screening");
    const theCase = await findCaseDoc(scope, caseId);
    const party = partyIn(theCase, partyId);
    const { suitable } = doc;
    const on = dayHeld(doc, await practiceTimeZone(ownerId));
    if (doc.status === "completed" && statusAfter(party, suitable, theCase) !== party.status) {
      await changeCase(scope, { id: caseId, version: theCase.version }, (draft) =>
        followScreening(draft, partyId, { suitable, on }),
      );
    }
    const { calendarDay } = await practiceDates(ownerId);
    const day = calendarDay(on);
    await tellOfStep(scope, theCase, {
      text: `Screening of ${party.label} of ${day} confirmed by ${confirmedByName}`,
      needs: "screening.read",
    });
    await endJudgementTasks(scope, partyId);
    await endScreeningAgain(scope, { caseId, partyId });
    if (doc.status === "completed")
      await tellSafetyFollowers(scope, { caseId, partyId, measures: [], isUnsafe: false });
    return toScreening(confirmed);
  });
