// What a screening in which somebody told of a danger, or was asked nothing, means for what comes after it.
import { now } from "@app/server/core/clock";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { dayIn } from "@app/shared/days";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import type { CompleteScreening } from "@app/shared/screenings";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, ledBy, type TestPerson } from "../support/server/people.ts";
import { anEntry, dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";
import { at, DAY, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(async () => {
  const made = await aPractice(app);
  await authorise(made);
  return made;
});
const { invite } = stepping(practice);
const TODAY = dayIn("Europe/London", now());
const NOT_ASKED = { answer: "not_asked", words: "No time" } as const;

const aFirst = async () => {
  const built = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  return { ...built, whose: { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId } };
};
type Built = Awaited<ReturnType<typeof aFirst>>;
const screen = ({ theCase, p1 }: Built, answers: CompleteScreening["answers"], found: Partial<CompleteScreening>) => {
  const screening = aScreening(theCase, p1.partyId, found);
  return practice.api.screenings.complete.mutate({ ...screening, answers: { ...screening.answers, ...answers } });
};

test("screenings.complete: with nothing asked it is refused with what to do, and nobody is found anything", async () => {
  const built = await aFirst();
  const nothing = Object.fromEntries(questionsOf(toolFor("family")).map(({ id }) => [id, NOT_ASKED]));
  expect((await refusal(screen(built, nothing, NOT_SAFE))).fields).toEqual({
    suitable: expect.stringContaining("record no screening"),
  });
  expect((await practice.api.screenings.list.query({ caseId: built.theCase.id })).items).toEqual([]);
});

test("assessments.record: a screening that left out a risk and found nothing does not assess the risk of a MIAM, one in which enough was told does", async () => {
  const built = await aFirst();
  const record = () => practice.api.assessments.record.mutate(anAssessment(built.whose, { attendedOn: TODAY }));
  await screen(built, { weapons: NOT_ASKED, fear: NOT_ASKED }, NOT_SAFE);
  expect((await refusal(record())).fields).toMatchObject({
    riskAssessment: expect.stringContaining("that asked about every risk"),
  });
  await screen(built, { weapons: NOT_ASKED, fear: told("Of what he does") }, NOT_SAFE);
  expect(await record()).toMatchObject({ riskAssessment: "done" });
});

test.each([
  ["control", "He reads her messages"],
  ["since", "He waits at her door"],
  ["child_taken", "He booked one-way tickets"],
  ["economic", "He keeps her wages"],
])("screenings.complete: %s, told of, opens the safeguarding record with what was said", async (id, words) => {
  const built = await aFirst();
  await screen(built, { [id]: told(words) }, withMeasures("shuttle"));
  const { items } = await practice.api.safeguarding.list.query({ caseId: built.theCase.id });
  expect(items).toMatchObject([{ state: "to_complete", latest: { concern: expect.stringContaining(words) } }]);
});

const READS = ["clients.read", "clients.write"] as const;
const missing = async ({ theCase, p2 }: Built, { api }: Pick<TestPerson, "api">) =>
  (await api.casework.invitations.query({ id: theCase.id })).missing
    .filter(({ partyId }) => partyId === p2.partyId)
    .flatMap(({ gaps }) => gaps.map(({ text }) => text));

test("casework.inviteParty: until the entry that the screening of the first opened is judged, the other is not invited, and only who may read the record is told of it", async () => {
  const built = await aFirst();
  const { theCase, p1, whose } = built;
  const { api } = practice;
  await screen(built, { physical: told("He strangled her last month") }, withMeasures("shuttle"));
  await api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: TODAY }));
  const nowCase = () => api.cases.get.query({ id: theCase.id });
  const agreed = { partyId: p1.partyId, isAgreed: true, isNamed: false, on: DAY };
  await api.casework.recordContactAgreement.mutate({ ...at(await nowCase()), ...agreed });
  // What people suspect of somebody stays with them.
  await api.safeguarding.add.mutate(anEntry(theCase.id, { kind: "suspicious_activity" }));
  const gap = "Complete the safeguarding entry about P1, or say in it why none is needed.";
  expect(await missing(built, practice)).toEqual([gap]);
  expect(await refusal(invite(await nowCase(), 1, TODAY))).toMatchObject({ code: "PRECONDITION_FAILED", message: gap });
  const screener = await aStaffUser(app, practice, { permissions: [...READS, "screening.read"] });
  expect(await missing(built, screener)).toEqual([
    "A mediator of this case, or the owner, looks at the screening of P1 first.",
  ]);
  const blind = await aStaffUser(app, practice, { permissions: [...READS] });
  expect(await missing(built, blind)).toEqual([SCREENING_SAYS_NOT_YET]);
  await dismissEntries(api, theCase.id);
  expect(await missing(built, practice)).toEqual([]);
  await invite(await nowCase(), 1);
  expect((await nowCase()).parties[1]?.status).toBe("invited");
});
