// That nobody else is willing: how often somebody was tried before it is said that they do not answer.
import { newId } from "@app/server/core/ids";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { ClientModel } from "@app/server/features/clients/clients.model";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import type { InviteChannel } from "@app/shared/ladders";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const today = new Date().toISOString().slice(0, 10);
const WHY = "They hung up twice and asked not to be written to";

/** A case whose first party attended a MIAM, and how the others are tried. */
async function attended() {
  const { theCase, p1, p2, second } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
  const record = anAssessment(whose, { attendedOn: addDays(today, -60) });
  const { id: assessmentId } = await practice.api.assessments.record.mutate(record);
  await mayContact(theCase);
  const versioned = async () => ({ id: caseId, version: (await practice.api.cases.get.query({ id: caseId })).version });
  const invite = async (channel: InviteChannel, daysAgo: number, partyId = p2.partyId) =>
    practice.api.casework.inviteParty.mutate({
      ...(await versioned()),
      partyId,
      channel,
      on: addDays(today, -daysAgo),
      wording: "Come",
      call: channel === "phone" ? "message" : "",
      againstBecause: channel === "phone" ? "They said so on their announcement" : "",
      changeId: newId(),
    });
  const ring = async (daysAgo: number) => {
    const { id, version } = await versioned();
    const call = {
      channel: "phone",
      call: "nobody",
      wording: "Rang, no answer",
      on: addDays(today, -daysAgo),
    } as const;
    await practice.api.casework.inviteParty.mutate({ id, version, partyId: p2.partyId, ...call, changeId: newId() });
  };
  const step = async (to: PartyStatus, partyId = p2.partyId) =>
    practice.api.casework.moveParty.mutate({
      ...(await versioned()),
      partyId,
      to,
      on: today,
      reason: "Never rang back",
      isOwnDecision: to === "withdrawn" || to === "refused" ? true : null,
    });
  const choices = () => practice.api.certificates.choices.query({ assessmentId });
  const noneWilling = async () => (await choices()).statements.find(({ statement }) => statement === "none_willing");
  const issue = (fewerReason?: string) =>
    practice.api.certificates.issue.mutate({
      id: newId(),
      assessmentId,
      statements: ["none_willing"],
      fewerReason,
      replaceReason: "",
    });
  const asked = async () =>
    (await practice.api.tasks.list.query({ caseId })).items.filter(({ title }) => title.startsWith("Look again at"));
  return { caseId, p1, p2, second, versioned, invite, ring, step, choices, noneWilling, issue, asked };
}

/** As the ladder of family cases goes. */
async function everyStep(invite: (channel: InviteChannel, daysAgo: number) => Promise<unknown>): Promise<void> {
  await invite("email", 50);
  await invite("post", 38);
  await invite("phone", 26);
}

test("certificates.choices: that nobody else is willing needs an invitation that reached whoever is recorded as silent", async () => {
  const { caseId, second, step, noneWilling, issue } = await attended();
  const to = aLetterTo(second.email, { clientId: second.id, caseId });
  await practice.api.compose.send.mutate({ id: newId(), ...to, isInvitation: true, sendAt: null });
  const mails = mongoose.connection.collection("email_messages");
  const becameOf = (state: string) => mails.updateMany({ caseId }, { $set: { state } });
  await becameOf("sent");
  await step("no_response");
  // They may still answer.
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  const attempts = mongoose.connection.collection("invitation_attempts");
  await attempts.updateMany({ caseId }, { $set: { replyBy: addDays(today, -1) } });
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
  await becameOf("bounced");
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  expect(Object.keys((await refusal(issue(WHY))).fields)).toEqual(["statements"]);
});

test("certificates.choices: whoever answered an invitation is not silent until another one has run out", async () => {
  const { invite, step, noneWilling } = await attended();
  await invite("post", 80);
  await step("responded");
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
});

test("certificates.issue: after one message that nobody answered, it asks why that was enough, shows what was tried, and keeps the reason off the paper", async () => {
  const { caseId, p2, invite, step, choices, issue, p1 } = await attended();
  await invite("phone", 40);
  await step("no_response");
  expect((await choices()).unanswered).toEqual([
    {
      label: p2.label,
      attempts: [{ channel: "phone", on: addDays(today, -40), replyBy: addDays(today, -33) }],
      untried: [
        { step: 1, channel: "email", isUnsafe: false },
        { step: 2, channel: "post", isUnsafe: false },
      ],
      reason: "Never rang back",
    },
  ]);
  for (const nothing of [undefined, "", " - "])
    expect((await refusal(issue(nothing))).fields).toEqual({
      fewerReason: "Not every step of the invitation was tried. Say why fewer were enough.",
    });
  const issued = await issue(WHY);
  expect(issued.fewerReason).toBe(WHY);
  const stored = await CertificateModel.findOne({ ownerId: practice.ownerId, _id: issued.id }).lean();
  expect(stored?.fewerReason).toBe(WHY);
  const text = await pdfText(app, practice, `/export/certificates/${issued.id}.pdf`);
  const { items } = await practice.api.partyView.preview.query({ caseId, partyId: p1.partyId });
  for (const leaves of [text, JSON.stringify(items)]) expect(leaves.toLowerCase()).not.toContain("hung up");
});

test("certificates.issue: once every step of the ladder was tried and has run out, it asks for no reason and keeps none", async () => {
  const { invite, step, choices, noneWilling, issue } = await attended();
  await everyStep(invite);
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: false });
  expect((await choices()).unanswered).toEqual([]);
  const issued = await issue(WHY);
  expect(issued.fewerReason).toBe("");
  // Silence is no refusal.
  expect(issued.sentences[1]).toBe(
    "No other participant has agreed to attend a MIAM: the other participant was invited, and has not answered.",
  );
});

test("certificates.issue: who never picks up the phone was tried by phone on two days, and no reason is asked for; on one day they were not", async () => {
  const { invite, ring, step, choices, noneWilling, issue } = await attended();
  await invite("email", 50);
  await invite("post", 38);
  await ring(26);
  await ring(26);
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
  expect((await choices()).unanswered).toMatchObject([{ untried: [{ step: 3, channel: "phone" }] }]);
  await ring(19);
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: false });
  expect((await issue()).fewerReason).toBe("");
});

test("certificates.issue: of whom only text messages are safe, one text is no whole ladder, and it is asked why it was enough", async () => {
  const { second, invite, step, choices, issue } = await attended();
  const { version, ...client } = await practice.api.clients.get.query({ id: second.id });
  const safeContact = { ...client.safeContact, mayEmail: false, mayPost: false, mayPhone: false, mayText: true };
  await ClientModel.updateOne({ ownerId: practice.ownerId, _id: second.id, version }, { $set: { safeContact } });
  await invite("text", 60);
  await step("no_response");
  expect((await choices()).unanswered).toMatchObject([{ untried: [{ step: 2 }, { step: 3, isUnsafe: true }] }]);
  expect(Object.keys((await refusal(issue())).fields)).toEqual(["fewerReason"]);
  await invite("text", 45);
  await invite("text", 30);
  await step("no_response");
  expect((await choices()).unanswered).toEqual([]);
  expect((await issue()).fewerReason).toBe("");
});

test("certificates.choices: an attempt without a day to answer by, as of before there were ladders, is no step of one", async () => {
  const { caseId, invite, step, noneWilling } = await attended();
  await everyStep(invite);
  await step("no_response");
  await mongoose.connection
    .collection("invitation_attempts")
    .updateMany({ caseId, channel: "email" }, { $set: { replyBy: "" } });
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
});

test("certificates.choices: the refusal of one and the silence of another after every step ask for no reason, and one call to a third does", async () => {
  const { caseId, invite, step, versioned, noneWilling } = await attended();
  const join = async () => {
    const client = await practice.api.clients.create.mutate(aClient({ firstName: "Kit", lastName: "Third" }));
    const party = { clientId: client.id, role: "respondent" as const, side: "" };
    const { parties } = await practice.api.casework.addParty.mutate({
      ...(await versioned()),
      party,
      changeId: newId(),
    });
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
    return parties.at(-1)?.partyId ?? "";
  };
  await invite("email", 50);
  await step("refused");
  const third = await join();
  await everyStep((channel, daysAgo) => invite(channel, daysAgo, third));
  await step("no_response", third);
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: false });
  const fourth = await join();
  await invite("phone", 26, fourth);
  await step("no_response", fourth);
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
});

test("a certificate that says that nobody else is willing: when somebody answers after it, whoever signed it is asked to look, and not before", async () => {
  const { invite, step, issue, asked } = await attended();
  await invite("phone", 40);
  await step("no_response");
  const { number } = await issue(WHY);
  await invite("post", 0);
  expect(await asked()).toEqual([]);
  await step("responded");
  expect(await asked()).toMatchObject([
    {
      title: expect.stringContaining(
        `${number}: somebody answered after it said that nobody else had agreed to a MIAM`,
      ),
      assigneeId: practice.ownerId,
    },
  ]);
  // It is the first answer that makes it untrue.
  await step("intake_done");
  expect(await asked()).toHaveLength(1);
});

test("a certificate that says that nobody else is willing: a refusal after it, or a correction, tells of no answer", async () => {
  const { invite, step, issue, asked, versioned, p2 } = await attended();
  await invite("phone", 40);
  await step("no_response");
  await issue(WHY);
  await invite("post", 0);
  await step("refused");
  expect(await asked()).toEqual([]);
  const correction = { ...(await versioned()), partyId: p2.partyId, reason: "Wrong click" };
  await practice.api.casework.correct.mutate(correction);
  expect((await asked()).map(({ title }) => title).filter((title) => title.includes("answered"))).toEqual([]);
});

test("a certificate that says that nobody else is willing: of whoever it was given to, an answer is nobody else's", async () => {
  const { step, issue, asked, invite, p1 } = await attended();
  await invite("phone", 40);
  await step("no_response");
  await issue(WHY);
  await step("withdrawn", p1.partyId);
  await step("responded", p1.partyId);
  expect(await asked()).toEqual([]);
});

test("a certificate that says that nobody else is willing: when the refusal is taken back and they are silent instead, whoever signed it is asked to look", async () => {
  const { invite, step, issue, asked, versioned, p2 } = await attended();
  await invite("phone", 40);
  await step("no_response");
  await step("refused");
  const { number, sentences } = await issue();
  expect(sentences[1]).toBe("No other participant is willing to attend a MIAM or to take part in mediation.");
  const correction = { ...(await versioned()), partyId: p2.partyId, reason: "Wrong click" };
  await practice.api.casework.correct.mutate(correction);
  expect(await asked()).toMatchObject([{ title: expect.stringContaining(number) }]);
});

test("certificates.choices: three messages on one evening are no steps of the ladder, and a call that reached nobody is no invitation", async () => {
  const { caseId, invite, step, noneWilling, choices } = await attended();
  for (const _each of [1, 2, 3]) await invite("text", 40);
  await invite("phone", 20);
  await mongoose.connection
    .collection("invitation_attempts")
    .updateMany({ caseId, channel: "phone" }, { $set: { call: "nobody", replyBy: "" } });
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
  const [silent] = (await choices()).unanswered;
  expect(silent?.attempts.map(({ channel }) => channel)).toEqual(["text", "text", "text"]);
  expect(silent?.untried.map(({ step: number }) => number)).toEqual([1, 2, 3]);
});

test("a certificate that says that nobody else is willing: when one of the invitations is struck, whoever signed it is asked to look", async () => {
  const { caseId, invite, step, issue, asked, versioned } = await attended();
  await everyStep(invite);
  await step("no_response");
  const { number } = await issue();
  const { attempts } = await practice.api.casework.invitations.query({ id: caseId });
  const attemptId = attempts[0]?.id ?? "";
  await practice.api.casework.strikeInvitation.mutate({ ...(await versioned()), attemptId, reason: "Never sent" });
  expect(await asked()).toMatchObject([{ title: expect.stringContaining(number) }]);
});

test("casework.returnInvitation: when several letters came back, there is one task of each kind, and “No answer” is not how the case ends", async () => {
  const { caseId, versioned, invite, step, issue, asked } = await attended();
  for (const daysAgo of [40, 30, 20]) await invite("post", daysAgo);
  await step("no_response");
  await issue(WHY);
  const end = async (ending: "no_answer") =>
    practice.api.casework.move.mutate({ ...(await versioned()), to: "not_proceeding", ending, reason: "Gone away" });
  for (const { id: attemptId } of (await practice.api.casework.invitations.query({ id: caseId })).attempts)
    await practice.api.casework.returnInvitation.mutate({ ...(await versioned()), attemptId, on: today });
  expect(await asked()).toHaveLength(1);
  const unreached = async () =>
    (await practice.api.tasks.list.query({ caseId })).items.filter(({ title }) =>
      title.startsWith("No invitation has reached"),
    );
  expect(await unreached()).toHaveLength(1);
  expect((await refusal(end("no_answer"))).fields).toEqual({
    ending: expect.stringContaining("No invitation has reached P2: none was made, each came back, or has not left."),
  });
  // What was to be done is done once they are tried in another way.
  await invite("phone", 0);
  expect(await unreached()).toEqual([]);
  expect(await end("no_answer")).toMatchObject({ status: "not_proceeding" });
});

test("casework.returnInvitation: what came back invites nobody, so of whoever it did not reach nothing is certified", async () => {
  const { caseId, versioned, invite, step, noneWilling, issue, asked } = await attended();
  await invite("post", 40);
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true });
  const { number } = await issue(WHY);
  const listed = async () => (await practice.api.casework.invitations.query({ id: caseId })).attempts;
  const note = async (on: string, attemptId?: string) =>
    practice.api.casework.returnInvitation.mutate({
      ...(await versioned()),
      attemptId: attemptId ?? (await listed())[0]?.id ?? "",
      on,
    });
  expect((await refusal(note(addDays(today, -41)))).fields).toEqual({ on: expect.stringContaining("It was made on") });
  expect(Object.keys((await refusal(note(addDays(today, 1)))).fields)).toEqual(["on"]);
  await note(addDays(today, -30));
  expect(await listed()).toMatchObject([{ cameBackOn: addDays(today, -30), isTakenBack: false, struckBecause: "" }]);
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  expect((await asked()).map(({ title }) => title)).toEqual([
    expect.stringContaining(`${number}: what it says is not recorded`),
  ]);
  const lines = (await practice.api.timeline.list.query({ caseId, page: 1 })).items.map(({ text }) => text);
  expect(lines).toContainEqual(
    expect.stringMatching(/Invitation of P2 by letter came back, or was not delivered, on /),
  );
  const standing = async () => (await practice.api.cases.get.query({ id: caseId })).parties[1]?.status;
  expect(await standing()).toBe("to_invite");
  const { items } = await practice.api.tasks.list.query({ caseId, page: 1 });
  expect(items.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^No invitation has reached .+: find another way/),
  );
  // By mistake: they are invited again as they were.
  await note("");
  expect(await standing()).toBe("invited");
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true });
});

test("casework.returnInvitation: another one that reached them counts still, and a call in which they were spoken to cannot come back", async () => {
  const { caseId, p2, versioned, invite, step, noneWilling } = await attended();
  await invite("email", 50);
  await invite("post", 38);
  const { attempts } = await practice.api.casework.invitations.query({ id: caseId });
  const note = async (attemptId = "") =>
    practice.api.casework.returnInvitation.mutate({ ...(await versioned()), attemptId, on: today });
  await note(attempts[1]?.id);
  await step("no_response");
  expect(await noneWilling()).toMatchObject({ isAllowed: true, asksFewer: true });
  const spoken = await practice.api.casework.inviteParty.mutate({
    ...(await versioned()),
    partyId: p2.partyId,
    channel: "phone",
    on: addDays(today, -20),
    wording: "Come",
    call: "spoken",
    changeId: newId(),
  });
  const { attempts: made } = await practice.api.casework.invitations.query({ id: spoken.id });
  expect(await refusal(note(made.at(-1)?.id))).toMatchObject({ code: "PRECONDITION_FAILED" });
});
