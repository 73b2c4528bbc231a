// That two must not meet, by one of their cases, holds in each other case of the two.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aMeetingInput, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { mediatingToo, screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
/** Books and starts, and may not read screenings. */
const blind = forAllTests(() =>
  aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] }),
);
const MEASURES = ["shuttle", "separate_arrivals"];

/** Two cases in mediation, the second of these people; in the first the two must not meet. */
async function twoCases(isWithThird = false) {
  const first = await screenedCaseOf(practice, [{}, {}]);
  const clientIds = first.theCase.parties.map(({ clientId }) => clientId);
  const third = isWithThird ? [(await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }))).id] : [];
  const theCase = await mediatingToo(practice, [...clientIds, ...third]);
  const keepApart = (mustNotMeet: boolean) =>
    CaseModel.updateOne(
      { _id: first.theCase.id, ownerId: practice.ownerId },
      { $set: { "flags.mustNotMeet": mustNotMeet } },
    );
  await keepApart(true);
  return { first, theCase, keepApart };
}

let hour = 0;
const book = ({ id, parties }: Case, api: Api = practice.api, who = parties) =>
  api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: id,
      partyIds: who.map(({ partyId }) => partyId),
      startsAt: new Date(Date.UTC(2031, 7, 4) + (hour += 2) * 3_600_000).toISOString(),
    }),
  );
const start = ({ id }: Case, api: Api = practice.api) =>
  api.sessions.start.mutate({ id: newId(), caseId: id, meetingId: null });

test("another case of the same two: while they must not meet by the first, a joint meeting asks why, and names no other case", async () => {
  const { first, theCase, keepApart } = await twoCases();
  const booked = await refusal(book(theCase));
  expect(booked).toMatchObject({
    code: "BAD_REQUEST",
    fields: { againstMeasures: expect.stringContaining("goes without: shuttle, separate arrivals") },
  });
  const started = await refusal(start(theCase));
  expect(started.fields).toEqual({ unmetReason: expect.stringContaining("goes without: shuttle, separate arrivals.") });
  expect(JSON.stringify([booked, started])).not.toContain(first.theCase.caseRef);
  for (const tried of [book, start])
    expect(await refusal(tried(theCase, blind.api))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: SCREENING_SAYS_NOT_YET,
    });
  const { items } = await practice.api.screenings.measures.query({ caseId: theCase.id });
  expect(items.map(({ measures }) => measures)).toEqual([MEASURES, MEASURES]);
  await keepApart(false);
  expect((await book(theCase)).status).toBe("booked");
});

test("another case with a third party: when only one of the two who must not meet comes with the third, then nothing is asked", async () => {
  const { theCase } = await twoCases(true);
  expect((await refusal(book(theCase))).fields).toHaveProperty("againstMeasures");
  expect((await book(theCase, practice.api, theCase.parties.slice(1))).status).toBe("booked");
  const { items } = await practice.api.screenings.measures.query({ caseId: theCase.id });
  expect(items.map(({ partyId }) => partyId)).toEqual(theCase.parties.slice(0, 2).map(({ partyId }) => partyId));
});
