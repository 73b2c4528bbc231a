import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { CreateMeeting } from "@app/shared/meetings";
import type { CompleteScreening } from "@app/shared/screenings";
import { aCase, aCaseInput, aMeetingInput, type Api, ledBy, type TestPractice } from "./people.ts";
import { aScreening, screened } from "./screened.ts";

let hour = 0;
/** A case in which mediation has begun, of two parties who were screened so, and who may be booked and start together. */
export async function screenedCaseOf(
  practice: TestPractice,
  found: readonly (Partial<CompleteScreening> | null)[],
  leadId?: string,
) {
  const { theCase, p1, p2 } = await aCase(practice, leadId ? ledBy(leadId) : {}, { isScreened: false });
  const both = [p1.partyId, p2.partyId];
  const signed = { "parties.$[].consentedOn": "2026-01-05", "parties.$[].agreementSignedOn": "2026-01-05" };
  const begun = { status: "in_mediation", "parties.$[].status": "active", "parties.$[].leftAt": null, ...signed };
  for (const [index, one] of found.entries())
    if (one) await practice.api.screenings.complete.mutate(aScreening(theCase, both[index] ?? "", one));
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: begun });
  const input = (overrides: Partial<CreateMeeting> = {}) =>
    aMeetingInput(practice.ownerId, {
      caseId: theCase.id,
      partyIds: both,
      startsAt: new Date(Date.UTC(2031, 2, 4) + (hour += 2) * 3_600_000).toISOString(),
      ...overrides,
    });
  const start = (api: Api, meetingId: string | null = null) =>
    api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  return { theCase, p1, p2, both, input, start };
}

/** Mediation in another case of these people, in which both were found suitable before anybody looked elsewhere. */
export async function mediatingToo(
  practice: Pick<TestPractice, "api" | "ownerId">,
  clientIds: string[],
  leadId = practice.ownerId,
) {
  const opened = await practice.api.casework.create.mutate(aCaseInput(clientIds, ledBy(leadId)));
  await screened(opened);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: opened.id, decision: "clear", reason: "" });
  const signed = { "parties.$[].consentedOn": "2026-01-05", "parties.$[].agreementSignedOn": "2026-01-05" };
  const begun = { status: "in_mediation", "parties.$[].status": "active", "parties.$[].leftAt": null, ...signed };
  await CaseModel.updateOne({ _id: opened.id, ownerId: practice.ownerId }, { $set: begun });
  return practice.api.cases.get.query({ id: opened.id });
}
