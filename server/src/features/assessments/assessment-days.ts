// On which day somebody can have attended.
import type { Case } from "@app/shared/cases";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNotLongBefore } from "../cases/case-days.service.ts";
import { assertByThen } from "../practices/past-days.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import type { AssessmentDoc } from "./assessments.model.ts";
import { assertMayHaveAttended } from "./attendance-gates.service.ts";

/** BAD_REQUEST where it was recorded before this day, or the calendar says otherwise. */
export async function assertOtherDay(scope: Scope, doc: AssessmentDoc, on: string): Promise<void> {
  const { caseId, partyId, createdAt, meetingId } = doc;
  await assertByThen(scope, "attendedOn", { on, recordedAt: createdAt });
  await assertMayHaveAttended(scope, { caseId, partyId, meetingId, field: "attendedOn", on });
}

export async function assertPast(scope: Scope, theCase: Case, attendedOn: string): Promise<void> {
  if (attendedOn > (await practiceToday(scope.ownerId)))
    throw badField("attendedOn", "This day is in the future. Record the meeting once it took place.");
  await assertNotLongBefore(scope, theCase, "attendedOn", attendedOn);
}
