// An invitation that was made and reached nobody: it came back, or was not delivered. It was no error, and invites nobody.
import { mayComeBack, type returnAttemptSchema } from "@app/shared/ladders";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, wrongState } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { enterParty } from "../cases/case-steps.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { tellStruck } from "./attempt-followers.service.ts";
import { type AttemptDoc, AttemptModel } from "./attempts.model.ts";
import { BY, settleInvited } from "./attempts.service.ts";
import { settleFollowUp } from "./follow-ups.ts";

/** Notes that this attempt came back; with no day, that it did not. */
export async function returnAttempt(
  scope: Scope,
  { id: caseId, version, attemptId, on }: z.output<typeof returnAttemptSchema>,
): Promise<void> {
  await assertNotLater(scope, "on", on);
  const of = { ownerId: scope.ownerId, caseId, _id: attemptId };
  const { calendarDay } = await practiceDates(scope.ownerId);
  await inTransaction(async () => {
    await changeCase(scope, { id: caseId, version }, async (draft) => {
      const attempt = await AttemptModel.findOne(of).lean();
      if (!attempt) throw notFound("Invitation");
      const { takenBackAt, call } = attempt;
      if (!mayComeBack({ isTakenBack: takenBackAt !== null, call }))
        throw wrongState("This invitation cannot have come back. Look at what is recorded of it.");
      if (on !== "" && on < attempt.on)
        throw badField("on", `It was made on ${calendarDay(attempt.on)}. Enter that day, or a later one.`);
      await settleReturned(scope, draft, { attempt, on, calendarDay });
    });
    await tellStruck(scope, caseId);
  });
}

/** The mail of an attempt had left, and came back. Call it in that transaction. */
export async function returnMail(ownerId: string, mailId: string): Promise<void> {
  const attempt = await AttemptModel.findOne({ ownerId, mailId, takenBackAt: null }).lean();
  if (!attempt || (attempt.cameBackOn ?? "") !== "") return;
  const { caseId } = attempt;
  const scope = systemScope(ownerId);
  const { calendarDay } = await practiceDates(ownerId);
  const on = await practiceToday(ownerId);
  const { version } = await findCaseDoc(scope, caseId);
  await changeCase(scope, { id: caseId, version }, (draft) =>
    settleReturned(scope, draft, { attempt, on, calendarDay }),
  );
  await tellStruck(scope, caseId);
}

interface Returned {
  attempt: AttemptDoc;
  on: string;
  calendarDay: (day: string) => string;
}

async function settleReturned(scope: Scope, draft: CaseDoc, returned: Returned): Promise<void> {
  const { attempt, on, calendarDay } = returned;
  const { ownerId, _id, partyId, channel } = attempt;
  await AttemptModel.updateOne({ ownerId, _id }, { $set: { cameBackOn: on } });
  const party = partyIn(draft, partyId);
  const became = on === "" ? "did not come back after all" : `came back, or was not delivered, on ${calendarDay(on)}`;
  await tellOfStep(scope, draft, { text: `Invitation of ${party.label} by ${BY[channel]} ${became}` });
  // Whom nothing reached nobody has asked yet.
  if (on !== "") await settleInvited(scope, draft, party);
  else if (party.status === "to_invite") enterParty(party, "invited", { on: "", reason: "" });
  await settleFollowUp(scope, draft, party);
}
