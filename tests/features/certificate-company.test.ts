// What a certificate says of who was at the meeting, by sides.
import { newId } from "@app/server/core/ids";
import { companyOfMiams } from "@app/server/features/assessments/assessments.migration";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { Party } from "@app/shared/cases";
import type { Statement } from "@app/shared/miam-rules";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const today = () => new Date().toISOString().slice(0, 10);
const withoutBlanks = (text: string) => text.toLowerCase().replaceAll(" ", "");
const stored = () => mongoose.connection.collection<{ _id: string }>("assessments");

/** A case with a party for each of these sides, each with a name of their own; alone where it is empty. */
async function aCaseOf(sides: readonly string[]) {
  const names = sides.map(
    (_side, index) =>
      `Canary${index}${Math.random()
        .toString(36)
        .replace(/[^a-z]/g, "")}`,
  );
  const clients = await Promise.all(
    names.map((lastName) => practice.api.clients.create.mutate(aClient({ lastName, firstName: "Kit" }))),
  );
  const theCase = await practice.api.casework.create.mutate(
    aCaseInput([], {
      ...ledBy(practice.ownerId),
      parties: clients.map((client, index) => ({
        clientId: client.id,
        role: index === 0 ? "initiator" : "respondent",
        side: sides[index] ?? "",
      })),
    }),
  );
  const { id, parties } = theCase;
  for (const { partyId } of parties) await practice.api.screenings.complete.mutate(aScreening(theCase, partyId));
  const at = (index: number): Party => {
    const party = parties[index];
    if (!party) throw new Error(`there is no party ${index}`);
    return party;
  };
  /** The MIAM of one of them today, with these others. */
  const attended = async (index: number, ...others: number[]) => {
    const withPartyIds = others.map((other) => at(other).partyId);
    const whose = { caseId: id, partyId: at(index).partyId, mediatorId: practice.ownerId };
    const company = others.length === 0 ? ("alone" as const) : ("with" as const);
    const details = anAssessment(whose, { attendedOn: today(), company, withPartyIds });
    return (await practice.api.assessments.record.mutate(details)).id;
  };
  const agree = async (index: number) => {
    const { version } = await practice.api.cases.get.query({ id });
    const said = { partyId: at(index).partyId, isAgreed: true, isNamed: false, on: today() };
    await practice.api.casework.recordContactAgreement.mutate({ id, version, ...said });
  };
  return { caseId: id, names, at, attended, agree };
}

const COMPANY = ["alone", "own_side", "together", "separately"] as const;
async function allowed(assessmentId: string): Promise<Statement[]> {
  const { statements } = await practice.api.certificates.choices.query({ assessmentId });
  return statements
    .filter(({ isAllowed, statement }) => isAllowed && COMPANY.some((each) => each === statement))
    .map(({ statement }) => statement);
}

const issue = (assessmentId: string, statements: Statement[]) =>
  practice.api.certificates.issue.mutate({
    id: newId(),
    assessmentId,
    statements,
    replaceReason: "",
  });

async function expectPrinted(id: string, sentence: string, names: readonly string[]): Promise<void> {
  const text = withoutBlanks(await pdfText(app, practice, `/export/certificates/${id}.pdf`));
  expect(text).toContain(withoutBlanks(sentence));
  for (const name of names) expect(text).not.toContain(name.toLowerCase());
}

test("certificates: of three sides, who met one of the others says no more than that, and names neither", async () => {
  const { attended, names } = await aCaseOf(["", "", ""]);
  const first = await attended(0, 1);
  expect(await allowed(first)).toEqual([]);
  await attended(1, 0);
  await attended(2);
  expect(await allowed(first)).toEqual(["together"]);
  const { id, sentences } = await issue(first, ["together"]);
  expect(sentences[1]).toBe("They attended it together with another participant.");
  await expectPrinted(id, "They attended it together with another participant.", names.slice(1));
});

test("certificates: of a grandmother who came with the grandfather, the other side attended separately, and she was not alone", async () => {
  const { attended, agree, names } = await aCaseOf(["Grandparents", "Grandparents", ""]);
  const grandmother = await attended(0, 1);
  await attended(1, 0);
  for (const index of [0, 1]) await agree(index);
  expect(await allowed(grandmother)).toEqual(["own_side"]);
  const parent = await attended(2);
  expect(await allowed(grandmother)).toEqual(["own_side", "separately"]);
  expect(await allowed(parent)).toEqual(["alone", "separately"]);
  const { id } = await issue(grandmother, ["own_side", "separately"]);
  for (const sentence of [
    "They attended it with somebody on their own side, and with nobody from another side.",
    "Each participant from another side attended a MIAM separately from them.",
  ])
    await expectPrinted(id, sentence, names.slice(1));
});

test("certificates: of a grandmother beside a grandfather who attended none, it says no more than what the other side did", async () => {
  const { attended, agree, names } = await aCaseOf(["Grandparents", "Grandparents", ""]);
  const grandmother = await attended(0);
  for (const index of [0, 1]) await agree(index);
  const parent = await attended(2);
  expect(await allowed(grandmother)).toEqual(["alone", "separately"]);
  expect(await allowed(parent)).toEqual(["alone"]);
  const { id, sentences } = await issue(grandmother, ["alone", "separately"]);
  expect(sentences.slice(1)).toEqual([
    "They attended it without any other participant.",
    "Each participant from another side attended a MIAM separately from them.",
  ]);
  await expectPrinted(id, "Each participant from another side attended a MIAM separately from them.", names.slice(1));
});

test("certificates: of grandparents and a parent who all met, each was together with the other side, and nobody separately", async () => {
  const { attended } = await aCaseOf(["Grandparents", "Grandparents", ""]);
  const records = [await attended(0, 1, 2), await attended(1, 0, 2), await attended(2, 0, 1)];
  for (const record of records) expect(await allowed(record)).toEqual(["together"]);
});

test("certificates: that somebody was alone is not said where another's record of that day names them", async () => {
  const { attended, names } = await aCaseOf(["", ""]);
  const first = await attended(0);
  expect(await allowed(first)).toEqual(["alone"]);
  const { id } = await issue(first, ["alone"]);
  await expectPrinted(id, "They attended it without any other participant.", names.slice(1));
  const other = await attended(1, 0);
  expect(await allowed(first)).toEqual([]);
  expect(await allowed(other)).toEqual([]);
});

test("certificates.choices: whoever stands alone is asked nothing about a side of their own", async () => {
  const { attended } = await aCaseOf(["", ""]);
  const record = await attended(0);
  const { statements } = await practice.api.certificates.choices.query({ assessmentId: record });
  expect(statements.map(({ statement }) => statement)).not.toContain("own_side");
  expect(Object.keys((await refusal(issue(record, ["own_side"]))).fields)).toEqual(["statements"]);
});

test("companyOfMiams: records of before keep what they say: alone, or together with each other participant", async () => {
  const { caseId, attended, at } = await aCaseOf(["", "", ""]);
  const ids = [await attended(0), await attended(1), await attended(2)];
  const isOf = async (company: string, ...indexes: number[]) => {
    for (const index of indexes)
      await stored().updateOne({ _id: ids[index] ?? "" }, { $set: { company }, $unset: { withPartyIds: 1 } });
    for (let times = 0; times < 2; times += 1) await companyOfMiams();
  };
  await isOf("together", 0, 1);
  const { items } = await practice.api.assessments.list.query({ caseId });
  expect(items.find(({ partyId }) => partyId === at(0).partyId)).toMatchObject({
    company: "together",
    withPartyIds: [],
    isComplete: true,
  });
  // The third was not there by their own record.
  expect(await allowed(ids[0] ?? "")).toEqual([]);
  await isOf("together", 2);
  expect(await allowed(ids[0] ?? "")).toEqual(["together"]);
  await isOf("alone", 0, 1, 2);
  expect(await allowed(ids[0] ?? "")).toEqual(["alone", "separately"]);
});

test("assessments.record: who was there is named by what they are in this case, each once and never themselves", async () => {
  const { caseId, at } = await aCaseOf(["", ""]);
  const stranger = await aCaseOf([""]);
  const own = at(0).partyId;
  const record = (overrides: Parameters<typeof anAssessment>[1]) =>
    refusal(
      practice.api.assessments.record.mutate(
        anAssessment({ caseId, partyId: own, mediatorId: practice.ownerId }, overrides),
      ),
    );
  const wrong = [
    { company: "with" as const, withPartyIds: [] },
    { company: "with" as const, withPartyIds: [own] },
    { company: "with" as const, withPartyIds: [stranger.at(0).partyId] },
    { company: "with" as const, withPartyIds: [at(1).partyId, at(1).partyId] },
    { company: "alone" as const, withPartyIds: [at(1).partyId] },
  ];
  for (const overrides of wrong) expect(Object.keys((await record(overrides)).fields)).toEqual(["withPartyIds"]);
});

test("assessments.record: whoever came with an interpreter was without another participant, and who else was there stays in the record alone", async () => {
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const details = anAssessment(whose, { attendedOn: today(), otherPeople: "Ana Lopes (interpreter)" });
  const record = await practice.api.assessments.record.mutate(details);
  expect(record).toMatchObject({ company: "alone", otherPeople: "Ana Lopes (interpreter)" });
  expect(JSON.stringify(await stored().findOne({ _id: record.id }))).not.toContain("Ana Lopes");
  const { id } = await issue(record.id, ["alone"]);
  await expectPrinted(id, "They attended it without any other participant.", ["Ana Lopes", "interpreter"]);
});

test("certificates: two whose meetings the calendar has at other hours of one day were not at one, whatever their records say", async () => {
  const together = async (first: string, second: string) => {
    const { caseId, at, agree } = await aCaseOf(["", ""]);
    await agree(0);
    const day = daysAgo(3);
    await ScreeningModel.updateMany({ ownerId: practice.ownerId, caseId }, { $set: { heldOn: day } });
    const ids: string[] = [];
    for (const [index, hour] of [first, second].entries()) {
      const [startsAt, endsAt] = [`${day}T${hour}:00.000Z`, `${day}T${hour.slice(0, 2)}:50:00.000Z`];
      const of = {
        type: "miam" as const,
        caseId,
        partyIds: [at(index).partyId],
        startsAt,
        endsAt,
        allowsOverlap: true,
      };
      const { id, version } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, of));
      await practice.api.meetings.setStatus.mutate({ id, version, to: "completed" });
      const { items } = await practice.api.assessments.list.query({ caseId });
      const kept = items.find(({ partyId }) => partyId === at(index).partyId);
      const whose = { caseId, partyId: at(index).partyId, mediatorId: practice.ownerId };
      const said = {
        attendedOn: day,
        company: "with" as const,
        withPartyIds: [at(1 - index).partyId],
        hoursReason: "Seen by turns",
      };
      const { id: _id, caseId: _case, partyId: _party, ...details } = anAssessment(whose, said);
      const filled = { id: kept?.id ?? "", version: kept?.version ?? 0, reason: "Filled in", ...details };
      ids.push((await practice.api.assessments.correct.mutate(filled)).id);
    }
    const { statements } = await practice.api.certificates.choices.query({ assessmentId: ids[0] ?? "" });
    return statements.find(({ statement }) => statement === "together");
  };
  expect(await together("09:00", "13:00")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("The calendar has the meeting of P2 on this day at another time"),
  });
  expect(await together("09:00", "09:10")).toMatchObject({ isAllowed: true });
});
