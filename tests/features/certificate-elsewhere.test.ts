// Two cases of the same two: what one of them does in the other is no will to mediate in this one, if that is about another dispute.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Permission } from "@app/shared/access";
import type { PartyStatus } from "@app/shared/case-states";
import type { Statement } from "@app/shared/miam-rules";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, authorise, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aMeetingInput, aStaffUser, type Api, ledBy } from "../support/server/people.ts";
import { screened } from "../support/server/screened.ts";
import { mediatingToo } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { TODAY } from "../support/server/led.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const CERTIFYING: Permission[] = ["clients.read", "clients.write", "assigned_only"];
/** Sees the cases alone in which they work. */
const associate = forAllTests(async () => {
  const person = await aStaffUser(app, practice, { role: 2, permissions: CERTIFYING });
  return { ...person, userId: await authorise(practice, person, "5678B") };
});

/** A case whose first party attended a MIAM ten days ago, and what its second party says. */
async function attended(leadId = practice.ownerId) {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(leadId));
  const record = anAssessment(
    { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId },
    { attendedOn: daysAgo(10) },
  );
  const { id: assessmentId } = await practice.api.assessments.record.mutate(record);
  await mayContact(theCase);
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const letter = { channel: "post" as const, on: daysAgo(8), wording: "Come", changeId: newId() };
  await practice.api.casework.inviteParty.mutate({ id: theCase.id, version, partyId: p2.partyId, ...letter });
  const step = async (to: PartyStatus) => {
    const now = await practice.api.cases.get.query({ id: theCase.id });
    const said = { reason: "They said so", on: TODAY, isOwnDecision: to === "responded" ? null : true };
    await practice.api.casework.moveParty.mutate({
      id: now.id,
      version: now.version,
      partyId: p2.partyId,
      to,
      ...said,
    });
  };
  const issue = (statement: Statement, isOtherDispute?: boolean, api: Api = practice.api) =>
    api.certificates.issue.mutate({
      id: newId(),
      assessmentId,
      statements: [statement],
      isOtherDispute,
      replaceReason: "",
    });
  const told = async (statement: Statement, api: Api = practice.api) =>
    (await api.certificates.choices.query({ assessmentId })).statements.find((one) => one.statement === statement)
      ?.otherDispute;
  const warned = async (statement: Statement) =>
    (await practice.api.certificates.choices.query({ assessmentId })).statements.find(
      (one) => one.statement === statement,
    )?.warning;
  const clientIds = theCase.parties.map(({ clientId }) => clientId);
  return { caseId: theCase.id, partyIds: [p1.partyId, p2.partyId], clientIds, step, issue, told, warned };
}

test.each(["none_willing", "other_stops"] as const)(
  "certificates.issue: “%s” of somebody who mediates with this person in another case, only once the signer says that it is about another dispute",
  async (statement) => {
    const { clientIds, step, issue, told } = await attended();
    const { caseRef } = await mediatingToo(practice, clientIds);
    if (statement === "other_stops") await step("responded");
    await step(statement === "other_stops" ? "withdrawn" : "refused");
    const words = `P2 takes part in mediation with this person in case ${caseRef}. The certificate does not name the dispute. Sign this only if the application is about another dispute.`;
    expect(await told(statement)).toBe(words);
    for (const said of [undefined, false])
      expect((await refusal(issue(statement, said))).fields).toEqual({ isOtherDispute: words });
    expect((await issue(statement, true)).sentences).toHaveLength(2);
  },
);

test("certificates.issue: “none_willing” of somebody who attended a MIAM in another case with this person, asks whether it is about another dispute while that MIAM counts", async () => {
  const { clientIds, step, issue, told } = await attended();
  const other = await practice.api.casework.create.mutate(aCaseInput(clientIds, ledBy(practice.ownerId)));
  await screened(other);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: other.id, decision: "clear", reason: "" });
  const partyId = other.parties[1]?.partyId ?? "";
  const whose = { caseId: other.id, partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(4) }));
  await step("refused");
  expect((await refusal(issue("none_willing"))).fields).toEqual({
    isOtherDispute: expect.stringContaining(`P2 attended a MIAM in case ${other.caseRef}`),
  });
  expect(await told("none_willing")).not.toBe("");
});

test("certificates.issue: “none_willing” of somebody who signed in another case with this person, or mediated there lately, asks whether it is about another dispute", async () => {
  const { clientIds, step, issue, told } = await attended();
  const { id, caseRef } = await mediatingToo(practice, clientIds);
  await step("refused");
  const stand = (set: object) => CaseModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: set });
  await stand({ status: "ready", "parties.$[].status": "agreement_signed" });
  const signed = `P2 signed the agreement to mediate with this person in case ${caseRef}.`;
  expect(await told("none_willing")).toContain(signed);
  expect((await refusal(issue("none_willing"))).fields).toEqual({ isOtherDispute: expect.stringContaining(signed) });
  await stand({ status: "assessing", "parties.$[].status": "suitable" });
  expect(await told("none_willing")).not.toContain(signed);
});

test("certificates.issue: without another case of the two, nothing is asked", async () => {
  const { step, issue, told } = await attended();
  await step("refused");
  expect(await told("none_willing")).toBe("");
  expect((await issue("none_willing")).sentences).toHaveLength(2);
});

test("certificates.issue: of a case that the signer may not see, they ask the owner, and are told no more of it", async () => {
  const { clientIds, step, issue, told } = await attended(associate.userId);
  const { caseRef } = await mediatingToo(practice, clientIds);
  await step("refused");
  const words = await told("none_willing", associate.api);
  expect(words).toContain("Ask the owner whether the application is about another dispute");
  expect(words).not.toContain(caseRef);
  expect((await refusal(issue("none_willing", undefined, associate.api))).fields).toEqual({ isOtherDispute: words });
  expect((await issue("none_willing", true, associate.api)).number).not.toBe("");
});

test.each(["none_willing", "other_stops"] as const)(
  "certificates.issue: “%s” of somebody with whom a first meeting is booked is withheld until it was held, missed or cancelled",
  async (statement) => {
    const { caseId, partyIds, step, issue } = await attended();
    if (statement === "other_stops") await step("responded");
    await step(statement === "other_stops" ? "withdrawn" : "refused");
    const startsAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const input = { caseId, type: "miam" as const, partyIds: partyIds.slice(1), startsAt };
    const { id, version } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
    expect((await refusal(issue(statement))).fields).toEqual({
      statements: expect.stringContaining("A first meeting with P2 is booked for"),
    });
    // Also once its time has come, until somebody says whether they came.
    const begun = (agoMs: number) => ({
      startsAt: new Date(Date.now() - agoMs),
      endsAt: new Date(Date.now() - agoMs + 3_600_000),
    });
    for (const agoMs of [600_000, 30 * 3_600_000]) {
      await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: begun(agoMs) });
      expect((await refusal(issue(statement))).fields).toEqual({
        statements: expect.stringContaining("nobody has said yet whether they came"),
      });
    }
    const later = { startsAt: new Date(startsAt), endsAt: new Date(Date.parse(startsAt) + 3_600_000) };
    await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: later });
    const cancelling = { changeId: newId(), reason: "They will not come", isLate: false, isWholeSeries: false };
    await practice.api.meetings.cancel.mutate({ id, version, ...cancelling });
    expect((await issue(statement)).sentences).toHaveLength(2);
  },
);

test("certificates.choices: of somebody who was spoken with after they refused, it says so before it is signed", async () => {
  const { caseId, partyIds, step, warned } = await attended();
  const met = async () => {
    const input = { caseId, type: "call" as const, partyIds: partyIds.slice(1), startsAt: "2033-01-02T10:00:00.000Z" };
    const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
    const [partyId = ""] = partyIds.slice(1);
    const held = { startsAt: new Date(), status: "completed", attendance: [{ partyId, attendance: "present" }] };
    await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: held });
  };
  await step("refused");
  await CaseModel.updateOne(
    { _id: caseId, ownerId: practice.ownerId },
    { $set: { "parties.1.steps.$[].on": daysAgo(2) } },
  );
  expect(await warned("none_willing")).toBe("");
  await met();
  expect(await warned("none_willing")).toMatch(
    /^P2 was spoken with on .+\. Be sure that what they said before still holds\.$/,
  );
});

test("certificates.issue: of somebody with whom a call was booked after they refused, it says so before it is signed, and once its time has come waits for what came of it", async () => {
  const { caseId, partyIds, step, issue, warned } = await attended();
  await step("refused");
  await CaseModel.updateOne(
    { _id: caseId, ownerId: practice.ownerId },
    { $set: { "parties.1.steps.$[].on": daysAgo(3) } },
  );
  const startsAt = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const input = { caseId, type: "call" as const, partyIds: partyIds.slice(1), startsAt };
  const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  expect(await warned("none_willing")).toMatch(
    /^Call with P2 is booked for .+, so they may have answered since\. Be sure that what they said before still holds\.$/,
  );
  const mark = (set: object) => MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: set });
  await mark({ startsAt: new Date(Date.now() - 86_400_000), endsAt: new Date(Date.now() - 82_800_000) });
  expect((await refusal(issue("none_willing"))).fields).toEqual({
    statements: expect.stringContaining("nobody has said yet whether they came"),
  });
  await mark({ status: "no_show" });
  expect(await warned("none_willing")).toBe("");
  expect((await issue("none_willing")).sentences).toHaveLength(2);
});
