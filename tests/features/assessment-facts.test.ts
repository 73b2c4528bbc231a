// What the record of a MIAM may not say against what else is recorded.
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import { dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, anUnscreenedMiam } from "../support/server/assessments.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, clientFields, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const TODAY = dayIn("Europe/London", new Date());
const yearsAgo = (years: number) => `${Number(TODAY.slice(0, 4)) - years}-01-01`;

async function aFirst() {
  const { theCase, p1, first } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  return { theCase, first, whose };
}

test.each([
  ["a child of 14", yearsAgo(14)],
  ["a child whose birthday is not known", ""],
])(
  "assessments.record: there are no children, in a case that names %s, is refused at that field",
  async (_child, dateOfBirth) => {
    const { theCase, whose } = await aFirst();
    const { api } = practice;
    const children = [{ childId: "ivy", firstName: "Ivy", dateOfBirth, livesWith: "", cim: NOT_INCLUDED }];
    await api.casework.update.mutate({ ...fieldsOf(theCase), id: theCase.id, version: theCase.version, children });
    const record = (childInclusive: "no_children" | "explained") =>
      api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY, childInclusive }));
    const refused = { fields: { childInclusive: expect.stringContaining("This case names children") } };
    expect(await refusal(record("no_children"))).toMatchObject(refused);
    const { id, version } = await record("explained");
    const {
      id: _id,
      caseId: _case,
      partyId: _party,
      ...wrong
    } = anAssessment(whose, { attendedOn: TODAY, childInclusive: "no_children" });
    expect(await refusal(api.assessments.correct.mutate({ ...wrong, id, version, reason: "None" }))).toMatchObject(
      refused,
    );
  },
);

test("assessments.record: there are no children, where they are grown up or none is named, is kept", async () => {
  const { theCase, whose } = await aFirst();
  const children = [{ childId: "max", firstName: "Max", dateOfBirth: yearsAgo(18), livesWith: "", cim: NOT_INCLUDED }];
  const { id, version } = theCase;
  await practice.api.casework.update.mutate({ ...fieldsOf(theCase), id, version, children });
  const record = anAssessment(whose, { attendedOn: TODAY, childInclusive: "no_children" });
  expect(await practice.api.assessments.record.mutate(record)).toMatchObject({ childInclusive: "no_children" });
});

test("assessments.record: of somebody under 18, asks who acts for them, and keeps it", async () => {
  const { first, whose } = await aFirst();
  const { api } = practice;
  const { version } = await api.clients.get.query({ id: first.id });
  const client = clientFields({ dateOfBirth: yearsAgo(15) });
  await api.clients.update.mutate({ id: first.id, version, client });
  const record = (underAgeReason: string) =>
    api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY, underAgeReason }));
  for (const why of ["", "..."])
    expect(await refusal(record(why))).toMatchObject({
      fields: { underAgeReason: expect.stringContaining("They were under 18 on this day") },
    });
  const underAgeReason = "Her aunt acts for her as litigation friend";
  expect(await record(underAgeReason)).toMatchObject({ underAgeReason });
});

test.each([
  ["2026-01-05", "withdrawn", "whoever withdraws on the day of their MIAM does so after it"],
  ["2026-01-06", "miam_attended", "a later one leads on"],
] as const)(
  "assessments.record: of somebody who withdrew on 5 January, a MIAM of %s leaves them at %s: %s",
  async (attendedOn, status, _why) => {
    const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
    const { id, version } = theCase;
    const whose = { caseId: id, partyId: p1.partyId, mediatorId: practice.ownerId };
    const step = { id, version, partyId: whose.partyId, on: "2026-01-05", reason: "No wish", isOwnDecision: true };
    await practice.api.casework.moveParty.mutate({ ...step, to: "withdrawn" });
    const { id: assessmentId } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn }));
    const { parties } = await practice.api.cases.get.query({ id });
    expect(parties[0]).toMatchObject({ status, miamOn: attendedOn });
    const { statements } = await practice.api.certificates.choices.query({ assessmentId });
    expect(statements.find(({ statement }) => statement === "person_stops")).toMatchObject({
      isAllowed: status === "withdrawn",
    });
  },
);
