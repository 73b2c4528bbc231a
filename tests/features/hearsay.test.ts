// What a certificate may not rest on: what somebody else says of who was never asked, and what was recorded in error.
import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, dayIn } from "@app/shared/days";
import type { Statement } from "@app/shared/miam-rules";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, authorise } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { cleared } from "../support/server/cleared.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aCase, aClient, aPractice, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(async () => {
  const made = await aPractice(app);
  await authorise(made);
  return made;
});
const today = () => dayIn("Europe/London", now());

async function attended() {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const { id: assessmentId } = await practice.api.assessments.record.mutate(
    anAssessment(whose, { attendedOn: today() }),
  );
  const at = async () => {
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    return { id, version, partyId: p2.partyId };
  };
  const isAllowed = async (statement: Statement, of = assessmentId) => {
    const { statements } = await practice.api.certificates.choices.query({ assessmentId: of });
    return statements.find((each) => each.statement === statement)?.isAllowed;
  };
  const { moveParty, correct, inviteParty } = practice.api.casework;
  return {
    at,
    isAllowed,
    caseId: theCase.id,
    p1,
    p2,
    refuse: async (isOwnDecision: boolean | null) =>
      moveParty.mutate({ ...(await at()), to: "refused", on: today(), reason: "Says no", isOwnDecision }),
    invite: async (on: string) =>
      inviteParty.mutate({ ...(await at()), changeId: newId(), channel: "post", on, wording: "A letter" }),
    correct: async () => correct.mutate({ ...(await at()), of: "step", reason: "It was never posted" }),
    move: async (to: PartyStatus, partyId = p2.partyId) =>
      moveParty.mutate({ ...(await at()), partyId, to, on: today(), reason: "Silent" }),
    /** The step of anybody that says no more, and who said so. */
    leave: async (partyId: string, to: "refused" | "withdrawn", isOwnDecision: boolean | null) =>
      moveParty.mutate({ ...(await at()), partyId, to, on: today(), reason: "No more", isOwnDecision }),
  };
}

test("casework.moveParty: who was never asked refuses only as it is said who said so", async () => {
  const { refuse } = await attended();
  expect((await refusal(refuse(null))).fields).toEqual({ isOwnDecision: "Choose who said so." });
});

test.each([
  ["they said so", true],
  ["somebody else did", false],
] as const)("certificates.choices: of who was never asked and refuses because %s", async (_who, isOwn) => {
  const { refuse, isAllowed } = await attended();
  await refuse(isOwn);
  expect([await isAllowed("none_willing"), await isAllowed("other_stops")]).toEqual([isOwn, isOwn]);
});

test("casework.moveParty: a refusal that was hearsay is recorded as their own once they say it, and never the other way round", async () => {
  const { refuse, isAllowed } = await attended();
  await refuse(false);
  expect(await isAllowed("none_willing")).toBe(false);
  expect((await refuse(true)).parties[1]).toMatchObject({ status: "refused", lastStep: { isOwnDecision: true } });
  expect(await isAllowed("none_willing")).toBe(true);
  expect((await refusal(refuse(false))).fields).toEqual({
    isOwnDecision: "P2 said so themselves already, which counts.",
  });
});

test.each(["responded", "no_response", "miam_missed", "refused"] as const)(
  "casework.moveParty: who stood in “%s” refuses only as it is said who said so, and only their own word is certified",
  async (stood) => {
    const { refuse, leave, correct, invite, move, isAllowed, p2, caseId } = await attended();
    if (stood === "no_response") await invite(addDays(today(), -40));
    if (stood === "refused") await refuse(true);
    await move(stood === "no_response" ? stood : "responded");
    if (stood === "miam_missed")
      await CaseModel.updateOne({ ownerId: practice.ownerId, _id: caseId }, { $set: { "parties.1.status": stood } });
    expect((await refusal(refuse(null))).fields).toEqual({ isOwnDecision: "Choose who said so." });
    for (const isOwn of [false, true]) {
      await leave(p2.partyId, "refused", isOwn);
      expect([await isAllowed("none_willing"), await isAllowed("other_stops")]).toEqual([isOwn, isOwn]);
      if (!isOwn) await correct();
    }
  },
);

test("certificates.choices: a refusal of which nobody kept who said so is not certified", async () => {
  const { leave, isAllowed, p2, caseId } = await attended();
  await leave(p2.partyId, "refused", true);
  const ofCase = { ownerId: practice.ownerId, _id: caseId };
  await CaseModel.updateOne(ofCase, { $set: { "parties.1.steps.$[].isOwnDecision": null } });
  expect([await isAllowed("none_willing"), await isAllowed("other_stops")]).toEqual([false, false]);
});

test.each([
  ["refused", true],
  ["refused", false],
  ["withdrawn", true],
  ["withdrawn", false],
] as const)("certificates.choices: of a person themself who is “%s”, by their own word: %s", async (to, isOwn) => {
  const { leave, isAllowed, p1 } = await attended();
  await leave(p1.partyId, to, isOwn);
  expect(await isAllowed("person_stops")).toBe(isOwn);
});

test.each([
  ["was never invited", false],
  ["was invited once", true],
] as const)(
  "casework.inviteParty: of somebody who %s others say that they refuse, then they are invited, and the ladder goes on",
  async (_who, isInvited) => {
    const { refuse, invite, isAllowed, at, caseId, p2 } = await attended();
    if (isInvited) await invite(addDays(today(), -20));
    await refuse(false);
    const { missing } = await practice.api.casework.invitations.query({ id: caseId });
    expect(missing).toEqual([{ partyId: p2.partyId, gaps: [] }]);
    await invite(today());
    const { parties } = await practice.api.cases.get.query({ id: caseId });
    expect(parties[1]?.status).toBe("invited");
    const { attempts } = await practice.api.casework.invitations.query({ id: caseId });
    expect(attempts.map(({ isAnswered }) => isAnswered)).toEqual(isInvited ? [false, false] : [false]);
    const { items } = await practice.api.tasks.list.query({ caseId });
    expect(items.map(({ title }) => title)).toContainEqual(expect.stringContaining("has not answered: invite again"));
    expect(await isAllowed("none_willing")).toBe(false);
    const said = { to: "refused" as const, on: today(), reason: "Rang us", isOwnDecision: true };
    await practice.api.casework.moveParty.mutate({ ...(await at()), ...said });
    expect(await isAllowed("none_willing")).toBe(true);
    expect(await refusal(invite(today()))).toMatchObject({ message: expect.stringContaining("answered already") });
  },
);

test("casework.correct: an invitation that was recorded in error counts for nothing any more", async () => {
  const { invite, correct, isAllowed, move, caseId } = await attended();
  await invite(addDays(today(), -40));
  await correct();
  const { attempts } = await practice.api.casework.invitations.query({ id: caseId });
  expect(attempts).toMatchObject([{ isTakenBack: true }]);
  expect(await isAllowed("none_willing")).toBe(false);
  await invite(today());
  await move("no_response");
  const choices = await isAllowed("none_willing");
  expect(choices).toBe(false);
});

test("certificates.choices: somebody who answered the invitation stays among those who are asked for, whatever side they are put on", async () => {
  const { at, invite, isAllowed, caseId, p1, p2 } = await attended();
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  await invite(today());
  await practice.api.casework.moveParty.mutate({ ...(await at()), to: "responded", on: today(), reason: "" });
  const third = { clientId, role: "respondent" as const, side: "" };
  const { id, version } = await at();
  const joined = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party: third });
  await cleared(joined);
  const step = { partyId: joined.parties[2]?.partyId ?? "", to: "refused" as const, on: today(), reason: "No" };
  await practice.api.casework.moveParty.mutate({ ...(await at()), ...step, isOwnDecision: true });
  for (const { partyId, role } of [p1, p2]) {
    const said = { partyId, role, side: "Same", consentedOn: "" as const, representativeContactIds: [] };
    await practice.api.casework.updateParty.mutate({ ...(await at()), ...said });
  }
  expect(await isAllowed("none_willing")).toBe(false);
  expect((await practice.api.cases.get.query({ id: caseId })).parties.map(({ side }) => side)).toEqual([
    "Same",
    "Same",
    "",
  ]);
});

test("certificates.choices: the other one's says nothing of somebody who does not agree that they hear of them", async () => {
  const { at, isAllowed, caseId, p1, p2 } = await attended();
  const say = async (isAgreed: boolean) =>
    practice.api.casework.recordContactAgreement.mutate({
      ...(await at()),
      partyId: p1.partyId,
      isAgreed,
      isNamed: false,
      on: today(),
    });
  await say(false);
  const came = { partyId: p2.partyId, to: "responded" as const, on: today(), reason: "Their solicitor sent them" };
  await practice.api.casework.moveParty.mutate({ ...(await at()), ...came });
  const theirs = { caseId, partyId: p2.partyId, mediatorId: practice.ownerId };
  const { id } = await practice.api.assessments.record.mutate(anAssessment(theirs, { attendedOn: today() }));
  expect(await isAllowed("separately", id)).toBe(false);
  await say(true);
  expect(await isAllowed("separately", id)).toBe(true);
});

test.each(["refused", "withdrawn"] as const)(
  "S68: who is “%s” by hearsay, and was never asked, gets no mail before whoever came first agrees to it",
  async (to) => {
    const { at, caseId, p1, p2, leave } = await attended();
    const { email, id: clientId } = await clientOf(caseId, p2.partyId);
    const letter = aLetterTo(email, { clientId, caseId });
    const codes = async () => (await practice.api.compose.check.mutate(letter)).problems.map(({ code }) => code);
    const unsaid = { "parties.0.contactAgreement": null };
    await CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: unsaid });
    await leave(p2.partyId, to, false);
    expect(await codes()).toContain("unasked");
    const said = { isAgreed: true, isNamed: false, on: today() };
    await practice.api.casework.recordContactAgreement.mutate({ ...(await at()), partyId: p1.partyId, ...said });
    expect(await codes()).not.toContain("unasked");
  },
);

test("S68: of whom somebody else said that they refuse, in a case that ended early, then nothing is written to them", async () => {
  const { at, caseId, p2, refuse } = await attended();
  await refuse(false);
  const { email, id: clientId } = await clientOf(caseId, p2.partyId);
  const codes = async () =>
    (await practice.api.compose.check.mutate(aLetterTo(email, { clientId, caseId }))).problems.map(({ code }) => code);
  expect(await codes()).not.toContain("unasked");
  const { id, version } = await at();
  const end = { id, version, to: "not_proceeding" as const, reason: "They do not want it", ending: "other" as const };
  await practice.api.casework.move.mutate(end);
  expect(await codes()).toContain("unasked");
});

async function clientOf(caseId: string, partyId: string) {
  const { parties } = await practice.api.cases.get.query({ id: caseId });
  const clientId = parties.find((party) => party.partyId === partyId)?.clientId ?? "";
  return practice.api.clients.get.query({ id: clientId });
}

test("casework.moveParty: when somebody says themselves what others told of their withdrawal, then it is recorded once more as theirs, and counts", async () => {
  const { leave, move, isAllowed, p2 } = await attended();
  await move("responded");
  await leave(p2.partyId, "withdrawn", false);
  expect(await isAllowed("none_willing")).toBe(false);
  for (const isOwn of [false, null])
    expect((await refusal(leave(p2.partyId, "withdrawn", isOwn))).fields).toEqual({
      isOwnDecision: expect.stringContaining("once more when they say so themselves"),
    });
  const own = await leave(p2.partyId, "withdrawn", true);
  expect(own.parties[1]).toMatchObject({ status: "withdrawn", lastStep: { from: "withdrawn", isOwnDecision: true } });
  expect(await isAllowed("none_willing")).toBe(true);
});
