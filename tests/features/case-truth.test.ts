// What a case says of itself goes with what is recorded in it: how it ended, and that whoever mediates came to a MIAM.
import { newId } from "@app/server/core/ids";
import type { Ending } from "@app/shared/case-states";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, ledBy } from "../support/server/people.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

describe("a case that was opened in error", () => {
  test("casework.update: once somebody was screened, the message leads to an ending that is true", async () => {
    const { theCase } = await aCase(practice);
    const { parties: _parties, caseRef: _caseRef, ...fields } = aCaseInput([]);
    const update = practice.api.casework.update.mutate({ ...fields, ...at(theCase), domain: "workplace" });
    expect((await refusal(update)).message).toContain("End this case as “Opened in error, or twice”");
    const ended = await practice.api.casework.move.mutate({
      ...at(theCase),
      to: "not_proceeding",
      reason: "It is one of their workplace",
      ending: "opened_in_error",
    });
    expect(ended).toMatchObject({ status: "not_proceeding", ending: "opened_in_error" });
  });

  test("casework.move: in mediation it may be so while no session of two sides was held, and no longer", async () => {
    const { api } = practice;
    const ended = async (isHeld: boolean) => {
      const { theCase, p1, p2 } = await aMediatedCase(practice);
      const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
      const change = () => ({ id, changeId: newId() });
      for (const { partyId } of [p1, p2])
        if (isHeld) await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      const called = { to: "cancelled" as const, cancelReason: "The wrong case" };
      await api.sessions.move.mutate({ ...change(), ...(isHeld ? { to: "ended" } : called) });
      const ending: Ending = "opened_in_error";
      const end = { to: "terminated" as const, ending, reason: "Opened twice", outcome: { ...OUTCOME, issues: [] } };
      return api.casework.move.mutate({ ...at(await api.cases.get.query({ id: theCase.id })), ...end });
    };
    expect(await ended(false)).toMatchObject({ status: "terminated", ending: "opened_in_error" });
    expect((await refusal(ended(true))).fields).toEqual({
      ending: "A session of two sides was held in it, so say how that ended.",
    });
  });
});

test("assessments.strike: of somebody in mediation, then it asks for another, and the case does not go on without", async () => {
  const { api } = practice;
  const { theCase, p1 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { id: caseId } = theCase;
  const { items } = await api.assessments.list.query({ caseId });
  const record = items.find(({ partyId }) => partyId === p1.partyId);
  if (!record) throw new Error("no MIAM is recorded");
  await api.assessments.strike.mutate({ id: record.id, version: record.version, reason: "Never held" });
  const asked = async () => (await api.tasks.list.query({ caseId })).items.map(({ title }) => title);
  const title = `P1 is “In mediation” in case ${theCase.caseRef}, and no MIAM of theirs is recorded any more`;
  expect(await asked()).toEqual([expect.stringContaining(title)]);
  const moved = async (to: "paused" | "in_mediation") =>
    api.casework.move.mutate({ ...at(await api.cases.get.query({ id: caseId })), to, reason: "They wait" });
  await moved("paused");
  expect((await refusal(moved("in_mediation"))).message).toBe("P1 has not attended their MIAM.");
  const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
  await api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY }));
  expect(await moved("in_mediation")).toMatchObject({ status: "in_mediation" });
  expect(await asked()).toEqual([]);
});
