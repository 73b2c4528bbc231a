// MIAMs that another service held.
import { newId } from "@app/server/core/ids";
import { evidenceNotAsked, noneElsewhere } from "@app/server/features/assessments/assessments.migration";
import type { ElsewhereDetails } from "@app/shared/assessments";
import { addDays, addMonths } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMiamElsewhere, anUnscreenedMiam, anAuthorisedPractice } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aStaffUser, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const today = () => new Date().toISOString().slice(0, 10);
const stored = () => mongoose.connection.collection<{ _id: string }>("assessments");

async function aParty(overrides: Parameters<typeof aCase>[1] = {}) {
  const built = await aCase(practice, { ...ledBy(practice.ownerId), ...overrides }, { isScreened: false });
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId };
  const attend = (details: Partial<ElsewhereDetails> = {}) =>
    practice.api.assessments.recordElsewhere.mutate(aMiamElsewhere(whose, details));
  const party = async () => (await practice.api.cases.get.query({ id: whose.caseId })).parties[0];
  return { ...built, whose, attend, party };
}

test("assessments.recordElsewhere: it is kept with what was seen, moves the party and stands in their history, without the service's name", async () => {
  const { attend, party, first } = await aParty();
  expect(await attend({ accreditationNumber: "9876B" })).toMatchObject({
    origin: "elsewhere",
    attendedOn: "2026-01-05",
    service: "Harbour Mediation",
    mediatorName: "Jo Bell",
    accreditationNumber: "9876B",
    evidence: "Their certificate HM-204",
    mediatorId: "",
    company: "",
    isComplete: true,
  });
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: "2026-01-05" });
  const { items } = await practice.api.timeline.list.query({ clientId: first.id });
  const lines = items.map(({ text }) => text);
  expect(lines).toEqual(expect.arrayContaining(["P1: MIAM attended", "MIAM of P1 that was held elsewhere recorded"]));
  expect(lines.join()).not.toContain("Harbour");
});

test.each([
  ["service", { service: " " }],
  ["mediatorName", { mediatorName: "" }],
  ["evidence", { evidence: " - " }],
  ["accreditationNumber", { accreditationNumber: "" }],
  ["accreditationNumber", { evidenceKind: "confirmed", accreditationNumber: "" }],
  ["attendedOn", { attendedOn: addDays(today(), 2) }],
] as const)("assessments.recordElsewhere: without a true %s it is refused beside its field", async (field, wrong) => {
  const { attend, whose } = await aParty();
  expect(Object.keys((await refusal(attend(wrong))).fields)).toEqual([field]);
  expect((await practice.api.assessments.list.query({ caseId: whose.caseId })).items).toEqual([]);
});

test("assessments.recordElsewhere: in a case of another kind it is refused", async () => {
  const { attend } = await aParty({ domain: "workplace" });
  expect((await refusal(attend())).code).toBe("PRECONDITION_FAILED");
});

test("assessments.recordElsewhere: who may not read what was said at meetings records it all the same, for nothing of that is in it", async () => {
  const { whose } = await aParty();
  const blind = await aStaffUser(app, practice, { role: 2, permissions: ["clients.read", "clients.write"] });
  expect(await blind.api.assessments.recordElsewhere.mutate(aMiamElsewhere(whose))).toMatchObject({
    evidence: "Their certificate HM-204",
  });
});

test("certificates.issue: one that was held elsewhere is never certified, and it is said whom to ask", async () => {
  const { attend, whose } = await aParty();
  const { id } = await attend({ attendedOn: today() });
  const words = "Harbour Mediation held this MIAM, so only they can certify it. Ask Jo Bell there for the certificate.";
  const { blockers } = await practice.api.certificates.choices.query({ assessmentId: id });
  expect(blockers).toEqual([words]);
  const issue = { id: newId(), assessmentId: id, statements: [], replaceReason: "" };
  expect(await refusal(practice.api.certificates.issue.mutate(issue))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: words,
  });
  expect((await practice.api.assessments.list.query({ caseId: whose.caseId })).items).toMatchObject([
    { isCertified: false },
  ]);
});

test("certificates.choices: one held elsewhere lets the other's certificate say separately with its evidence, and keeps it from saying that nobody was willing", async () => {
  const { attend, whose, p2 } = await aParty();
  const theirs = { caseId: whose.caseId, partyId: p2.partyId, mediatorId: practice.ownerId };
  const { id } = await practice.api.assessments.record.mutate(anUnscreenedMiam(theirs, { attendedOn: today() }));
  const choice = async (statement: string) => {
    const { statements } = await practice.api.certificates.choices.query({ assessmentId: id });
    return statements.find((each) => each.statement === statement);
  };
  expect(await choice("separately")).toMatchObject({ isAllowed: false });
  await attend({ attendedOn: addDays(addMonths(today(), -4), -1) });
  expect(await choice("separately")).toMatchObject({ isAllowed: false });
  const elsewhere = await attend({ attendedOn: addMonths(today(), -3) });
  expect(await choice("separately")).toMatchObject({ isAllowed: true });
  expect((await choice("none_willing"))?.because).toContain("attended a MIAM");
  // Where it was not asked how it is known, nothing is said by it.
  await stored().updateOne({ _id: elsewhere.id }, { $unset: { evidenceKind: 1 } });
  for (let times = 0; times < 2; times += 1) await evidenceNotAsked();
  expect(await choice("separately")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("not proven"),
  });
});

test("certificates.choices: what somebody only told of a MIAM elsewhere lets no certificate say that they attended, or that they had begun", async () => {
  const { attend, whose, p2 } = await aParty();
  const theirs = { caseId: whose.caseId, partyId: p2.partyId, mediatorId: practice.ownerId };
  const { id } = await practice.api.assessments.record.mutate(anUnscreenedMiam(theirs, { attendedOn: today() }));
  const choice = async (statement: string) => {
    const { statements } = await practice.api.certificates.choices.query({ assessmentId: id });
    return statements.find((each) => each.statement === statement);
  };
  const told = { attendedOn: addMonths(today(), -1), evidence: "P1 says so on the phone", accreditationNumber: "" };
  const hearsay = await attend({ ...told, evidenceKind: "told" });
  expect(await choice("separately")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("That P1 attended a MIAM elsewhere is not proven"),
  });
  const { version } = await practice.api.cases.get.query({ id: whose.caseId });
  const step = { id: whose.caseId, version, partyId: whose.partyId, to: "withdrawn" as const, on: today() };
  await practice.api.casework.moveParty.mutate({ ...step, reason: "No more", isOwnDecision: true });
  expect(await choice("other_stops")).toMatchObject({ isAllowed: false });
  await practice.api.assessments.strike.mutate({ id: hearsay.id, version: hearsay.version, reason: "Seen by now" });
  await attend({ attendedOn: told.attendedOn });
  expect(await choice("separately")).toMatchObject({ isAllowed: true });
});

test("assessments.correct: one held elsewhere is struck and recorded anew, and not corrected", async () => {
  const { attend, whose, party } = await aParty();
  const { id, version } = await attend();
  const {
    id: _id,
    caseId: _case,
    partyId: _party,
    ...details
  } = anUnscreenedMiam({
    ...whose,
    mediatorId: practice.ownerId,
  });
  const correct = practice.api.assessments.correct.mutate({ ...details, id, version, reason: "Ours" });
  expect((await refusal(correct)).message).toContain("strike it and record it anew");
  await practice.api.assessments.strike.mutate({ id, version, reason: "Wrong service" });
  expect(await party()).toMatchObject({ status: "to_invite", miamOn: "" });
  expect(await attend({ service: "Quay Mediation" })).toMatchObject({ service: "Quay Mediation" });
});

test("partyView.preview: of one held elsewhere its party sees with whom, and not what was seen of it; the other nothing", async () => {
  const { attend, whose, p2 } = await aParty();
  const { id } = await attend();
  const preview = (partyId: string) => practice.api.partyView.preview.query({ caseId: whose.caseId, partyId });
  const own = await preview(whose.partyId);
  expect(own.items.find((item) => item.id === id)).toMatchObject({ detail: "with Jo Bell, Harbour Mediation" });
  expect(JSON.stringify(own)).not.toContain("HM-204");
  expect(JSON.stringify(await preview(p2.partyId))).not.toMatch(/MIAM|Harbour|HM-204/);
});

test("noneElsewhere: records of before name no other service, however often it runs", async () => {
  const { whose } = await aParty();
  const { id } = await practice.api.assessments.record.mutate(
    anUnscreenedMiam({ ...whose, mediatorId: practice.ownerId }),
  );
  await stored().updateOne({ _id: id }, { $unset: { service: 1, accreditationNumber: 1, evidence: 1 } });
  for (let times = 0; times < 2; times += 1) await noneElsewhere();
  expect((await practice.api.assessments.list.query({ caseId: whose.caseId })).items).toMatchObject([
    { service: "", accreditationNumber: "", evidence: "", isComplete: true },
  ]);
});
