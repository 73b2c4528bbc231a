import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { recordsOfMiamDays } from "@app/server/features/assessments/assessments.migration";
import { certificatesOfOldRules } from "@app/server/features/certificates/certificates.migration";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAuthorisedPractice, anAssessment, daysAgo, only } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const log = createLogger("silent");
const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

/** A case as it was stored before there were records of MIAMs, with the certificate of then. */
async function aCaseOfBefore(miamOn = "2026-08-02") {
  const built = await aCase(practice, ledBy(practice.ownerId));
  const caseId = built.theCase.id;
  await stored("cases").updateOne(
    { _id: caseId },
    { $set: { "parties.0.miamOn": miamOn, "parties.0.status": "suitable" } },
  );
  const certificate = {
    _id: newId(),
    ownerId: practice.ownerId,
    caseId,
    partyId: built.p1.partyId,
    clientId: built.first.id,
    number: `C-8${Math.random()}`,
    status: "issued",
    reason: "exempt",
    issuedOn: "2026-08-20",
    expiresOn: "2026-12-20",
    usedOn: "",
    voidReason: "",
    issuedBy: practice.ownerId,
    mediatorName: "Ines Marchbank",
    accreditationNumber: "1482A",
    reminded: "none",
    createdAt: new Date("2026-08-20T10:00:00Z"),
  };
  await stored("certificates").insertOne(certificate);
  return { ...built, caseId, certificate };
}

async function migrate() {
  for (const run of [recordsOfMiamDays, certificatesOfOldRules, recordsOfMiamDays, certificatesOfOldRules])
    await run(log);
}

test("recordsOfMiamDays: the day of a party becomes one record that makes nothing up, however often it runs", async () => {
  const { caseId, p1 } = await aCaseOfBefore();
  await migrate();
  const { items } = await practice.api.assessments.list.query({ caseId });
  expect(items).toMatchObject([
    {
      partyId: p1.partyId,
      origin: "before_details",
      attendedOn: "2026-08-02",
      place: "",
      minutes: null,
      mediatorName: "",
      company: "",
      forms: [],
      riskAssessment: "",
      isComplete: false,
    },
  ]);
});

test("certificatesOfOldRules: what was issued keeps its number, reason, days and words, on the page and in print", async () => {
  const { caseId, certificate } = await aCaseOfBefore();
  await migrate();
  const { _id, ...before } = certificate;
  expect(await stored("certificates").findOne({ _id })).toMatchObject(before);
  const { items } = await practice.api.certificates.list.query({ caseId });
  expect(items).toMatchObject([
    {
      number: certificate.number,
      status: "issued",
      issuedOn: "2026-08-20",
      expiresOn: "2026-12-20",
      attendedOn: "2026-08-02",
      sentences: ["The mediator is satisfied that a MIAM exemption applies."],
    },
  ]);
  const text = await pdfText(app, practice, `/export/certificates/${_id}.pdf`);
  for (const words of [
    "assessment meeting2 august 2026",
    "the mediator is satisfied that a miam exemption applies.",
    "valid for an application until20 december 2026",
  ])
    expect(text.replaceAll(" ", "")).toContain(words.replaceAll(" ", ""));
});

test("certificates.issue: over one of the old rules, the record is completed first, and the old one is void with the reason", async () => {
  const attendedOn = daysAgo(40);
  const { caseId, certificate } = await aCaseOfBefore(attendedOn);
  await migrate();
  const { id, version } = only((await practice.api.assessments.list.query({ caseId })).items);
  const issue = (replaceReason: string) =>
    practice.api.certificates.issue.mutate({
      id: newId(),
      assessmentId: id,
      statements: [],
      replaceReason,
    });
  expect((await refusal(issue("New rules"))).message).toContain("not complete");
  const {
    caseId: _case,
    partyId: _party,
    ...details
  } = anAssessment({ caseId, partyId: "", mediatorId: practice.ownerId }, { attendedOn, id });
  await practice.api.assessments.correct.mutate({ ...details, version, reason: "" });
  expect((await refusal(issue(""))).fields).toHaveProperty("replaceReason");
  const issued = await issue("New rules");
  expect(await stored("certificates").findOne({ _id: certificate._id })).toMatchObject({
    status: "void",
    voidReason: `Replaced by ${issued.number}: New rules`,
    reason: "exempt",
  });
});
