// Somebody in a case died: they did not withdraw, nobody writes to them, and the case goes on or ends by it.
import { newId } from "@app/server/core/ids";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { aScreening } from "../support/server/screened.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const DIED = { to: "died" as const, on: TODAY, reason: "", confidences: null };

test("casework.moveParty: whoever died is out, is not invited, and it was nobody's decision", async () => {
  const { api } = practice;
  const { theCase, p2, second } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { ...at(theCase), partyId: p2.partyId };
  const decided = api.casework.moveParty.mutate({ ...whose, ...DIED, isOwnDecision: true });
  expect(Object.keys((await refusal(decided)).fields)).toEqual(["isOwnDecision"]);
  const died = await api.casework.moveParty.mutate({ ...whose, ...DIED });
  expect(died.parties[1]).toMatchObject({ status: "died", leftAt: expect.any(String) });
  const letter = { channel: "post" as const, on: TODAY, wording: "Come", changeId: newId() };
  const invited = api.casework.inviteParty.mutate({ ...at(died), partyId: p2.partyId, ...letter });
  expect((await refusal(invited)).code).toBe("PRECONDITION_FAILED");
  const back = api.casework.moveParty.mutate({ ...at(died), partyId: p2.partyId, ...DIED, to: "responded" });
  expect((await refusal(back)).code).toBe("PRECONDITION_FAILED");
  const { items } = await api.timeline.list.query({ clientId: second.id });
  expect(items.map(({ text }) => text)).toContain("P2: Died");
  expect(items.map(({ text }) => text).join()).not.toMatch(/withdr/i);
  // It was somebody else of this name.
  const corrected = await api.casework.correct.mutate({ ...at(died), partyId: p2.partyId, reason: "A namesake" });
  expect(corrected.parties[1]).toMatchObject({ status: "to_invite", leftAt: null });
});

test("a case that one death paused: its step is taken back with the death, and not without it", async () => {
  const { api } = practice;
  const { theCase, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED });
  expect(died.status).toBe("paused");
  const back = api.casework.correct.mutate({ ...at(died), partyId: "", reason: "Too early" });
  expect(await refusal(back)).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("because P2 left"),
  });
  const corrected = await api.casework.correct.mutate({ ...at(died), partyId: p2.partyId, reason: "A namesake" });
  expect(corrected).toMatchObject({ status: "in_mediation", parties: [{ status: "active" }, { status: "active" }] });
});

test("a case in mediation: when one of two sides died, then it is paused, ends by that, and no certificate says that they stopped", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED });
  expect(died.status).toBe("paused");
  const ending = { ending: "died" as const, reason: "Their sister rang", outcome: { ...OUTCOME, issues: [] } };
  const ended = await api.casework.move.mutate({ ...at(died), to: "terminated", ...ending });
  expect(ended).toMatchObject({ status: "terminated", ending: "died" });
  const { items } = await api.assessments.list.query({ caseId: theCase.id });
  const record = items.find(({ partyId }) => partyId === p1.partyId);
  const { statements } = await api.certificates.choices.query({ assessmentId: record?.id ?? "" });
  for (const statement of ["none_willing", "other_stops", "broken_down"])
    expect(statements.find((one) => one.statement === statement)).toMatchObject({ isAllowed: false });
});

test("after the day on which somebody died nothing is recorded as done by them; before it, it is", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  const before = await api.cases.get.query({ id: theCase.id });
  const died = { ...DIED, on: addDays(TODAY, -1) };
  const dead = await api.casework.moveParty.mutate({ ...at(before), partyId: p2.partyId, ...died });
  const told = (field: string) => ({ [field]: expect.stringContaining("P2 is recorded as dead since") });
  const { side, role, representativeContactIds } = before.parties[1] ?? p2;
  const attempts: [string, Promise<unknown>][] = [
    ["state", api.sessions.setAttendance.mutate({ ...change(), partyId: p2.partyId, state: "present" })],
    ["heldOn", api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...STILL_SAFE })],
    ["heldOn", api.screenings.complete.mutate(aScreening(dead, p2.partyId))],
    [
      "attendedOn",
      api.assessments.record.mutate(
        anAssessment({ caseId: theCase.id, partyId: p2.partyId, mediatorId: practice.ownerId }, { attendedOn: TODAY }),
      ),
    ],
  ];
  for (const [field, attempt] of attempts) expect((await refusal(attempt)).fields, field).toEqual(told(field));
  const consent = { side, role, representativeContactIds, partyId: p2.partyId };
  const wiped = await api.casework.updateParty.mutate({ ...at(dead), ...consent, consentedOn: addDays(TODAY, -2) });
  const late = api.casework.updateParty.mutate({ ...at(wiped), ...consent, consentedOn: TODAY });
  expect((await refusal(late)).fields).toEqual(told("consentedOn"));
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p1.partyId, state: "present" });
});
