// What was asked because of a finding, or of a concern, is asked no more once that is struck or answered, and is again once
// the answer is struck.
import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { mediatingToo, screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const partyOf = ({ parties }: Case, index = 1) => parties[index]?.partyId ?? "";
const screen = (theCase: Case, more: object = {}) =>
  practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase), more));
const strike = (id: string) => practice.api.screenings.strike.mutate({ id, reason: "Of the wrong person" });
const titlesOf = async ({ id: caseId }: Case) =>
  (await practice.api.tasks.list.query({ caseId })).items.map(({ title }) => title);
const AGAIN = expect.stringMatching(/^Safety: screen .+ again$/);
const FOLLOWS = expect.stringMatching(/^Safety: decide what follows from the screening of /);
const LOOK = expect.stringMatching(/^Safety: look again whether .+ is safe to mediate/);
const CANCEL = expect.stringMatching(/^Safety: cancel the meeting of /);

/** Before a session that is planned, in which a review raises a concern about the second party. */
async function raise(theCase: Case, days = 0) {
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const concern = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "Was hit yesterday" };
  await practice.api.sessions.reviewSafety.mutate({
    id,
    changeId: newId(),
    partyId: partyOf(theCase),
    heldOn: daysAgo(days),
    ...concern,
  });
}

let hour = 0;
const book = ({ id, parties }: Case) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: id,
      partyIds: parties.map(({ partyId }) => partyId),
      startsAt: new Date(Date.UTC(2031, 5, 4) + (hour += 2) * 3_600_000).toISOString(),
    }),
  );

async function twoRunning() {
  const { theCase: first } = await screenedCaseOf(practice, [{ heldOn: daysAgo(30) }, { heldOn: daysAgo(30) }]);
  const clientIds = first.parties.map(({ clientId }) => clientId);
  return { first, other: await mediatingToo(practice, clientIds) };
}

test("screenings.strike: of somebody found not safe in error, the case that was paused by that goes on, and nobody is asked what follows", async () => {
  const { theCase } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { id } = await screen(theCase, NOT_SAFE);
  expect(await practice.api.cases.get.query({ id: theCase.id })).toMatchObject({ status: "paused" });
  expect(await titlesOf(theCase)).toContainEqual(FOLLOWS);
  await strike(id);
  const back = await practice.api.cases.get.query({ id: theCase.id });
  expect(back).toMatchObject({ status: "in_mediation", reason: "" });
  expect(back.parties.map(({ status }) => status)).toEqual(["active", "active"]);
  expect(await titlesOf(theCase)).not.toContainEqual(FOLLOWS);
});

test("screenings.strike: a case that was paused for another reason stays so", async () => {
  const { theCase } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  await practice.api.casework.move.mutate({ id, version, to: "paused", reason: "They wait for figures" });
  const found = await screen(theCase, NOT_SAFE);
  await strike(found.id);
  expect(await practice.api.cases.get.query({ id })).toMatchObject({
    status: "paused",
    reason: "They wait for figures",
  });
});

test("sessions.reviewSafety: of a concern, they are to be screened again until they were, and again once that is struck", async () => {
  const { first, other } = await twoRunning();
  await raise(first);
  expect(await titlesOf(first)).toContainEqual(AGAIN);
  const { id } = await screen(first);
  expect(await titlesOf(first)).not.toContainEqual(AGAIN);
  await book(other);
  expect(await titlesOf(other)).toEqual([]);
  await strike(id);
  expect(await titlesOf(first)).toContainEqual(AGAIN);
  expect(await titlesOf(other)).toEqual(expect.arrayContaining([LOOK, CANCEL]));
});

test("sessions.reviewSafety: of a concern of a day after which they were screened already, nobody is asked to screen them", async () => {
  const { first, other } = await twoRunning();
  await screen(first, { heldOn: daysAgo(2) });
  await raise(first, 5);
  expect(await titlesOf(first)).not.toContainEqual(AGAIN);
  expect(await titlesOf(other)).toEqual([]);
});

test("sessions.record: a concern that another case knew on that day is not hidden by a later one", async () => {
  const { first, other } = await twoRunning();
  await raise(first, 8);
  await raise(first, 2);
  const record = practice.api.sessions.record.mutate({
    id: newId(),
    caseId: other.id,
    meetingId: null,
    startedAt: `${daysAgo(5)}T10:00:00.000Z`,
    endedAt: `${daysAgo(5)}T11:00:00.000Z`,
    unmetReason: "",
  });
  expect((await refusal(record)).fields).toEqual({
    unmetReason: expect.stringContaining("A safety review in another case had raised a concern about P2"),
  });
});
