// Who says who held a MIAM: whoever held it signs for it.
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aStaffUser, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

test("assessments.record: a mediator who is none of the case says it of nobody but its mediators; the owner says it of them", async () => {
  const other = await aStaffUser(app, practice, { role: 2 });
  const otherId = await authorise(practice, other, "5678B");
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const of = ({ partyId }: { partyId: string }, mediatorId: string) =>
    anUnscreenedMiam({ caseId: theCase.id, partyId, mediatorId });
  expect((await refusal(other.api.assessments.record.mutate(of(p1, otherId)))).fields).toEqual({
    mediatorId: expect.stringContaining("none of the case"),
  });
  const ofTheirs = await other.api.assessments.record.mutate(of(p1, practice.ownerId));
  expect(ofTheirs).toMatchObject({ mediatorId: practice.ownerId });
  const { id: _id, caseId: _case, partyId: _party, ...details } = of(p1, otherId);
  const corrected = other.api.assessments.correct.mutate({
    id: ofTheirs.id,
    version: ofTheirs.version,
    reason: "It was me",
    ...details,
  });
  expect((await refusal(corrected)).fields).toHaveProperty("mediatorId");
  expect(await practice.api.assessments.record.mutate(of(p2, otherId))).toMatchObject({ mediatorId: otherId });
});

test("assessments.record: while a case has no mediator, whoever held the MIAM records it", async () => {
  const other = await aStaffUser(app, practice, { role: 2 });
  const mediatorId = await authorise(practice, other, "6789C");
  const { theCase, p1 } = await aCase(practice, { mediators: [] }, { isScreened: false });
  const record = anUnscreenedMiam({ caseId: theCase.id, partyId: p1.partyId, mediatorId });
  expect(await other.api.assessments.record.mutate(record)).toMatchObject({ mediatorId });
});
