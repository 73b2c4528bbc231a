// A letter that nobody answered is shown to courts, so that it asks what a certificate asks; an invitation asks whoever came already.
import { newId } from "@app/server/core/ids";
import { ClientModel } from "@app/server/features/clients/clients.model";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { linesOf } from "@app/shared/document-walk";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import type { MeetingType } from "@app/shared/meeting-states";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { anAssessment, anAuthorisedPractice } from "../../support/server/assessments.ts";
import { mayContact } from "../../support/server/contactable.ts";
import { forAllTests } from "../../support/server/lifetimes.ts";
import { TODAY } from "../../support/server/led.ts";
import { aCase, aMeetingInput, ledBy } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

interface By {
  channel?: "post" | "phone";
  partyId?: string;
  wording?: string;
}

/** A case whose first party came to their MIAM, with a letter of this kind to one of the two. */
async function aFamilyCase(kind: "no_response" | "invitation", content = doc(para("We have heard nothing"))) {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: addDays(TODAY, -60) }));
  await mayContact(theCase);
  const templateId = await aTemplateOf(practice, content, { kind });
  const versioned = async () => ({ id: caseId, version: (await practice.api.cases.get.query({ id: caseId })).version });
  const invite = async (daysAgo: number, { channel = "post", partyId = p2.partyId, wording = "Come" }: By = {}) =>
    practice.api.casework.inviteParty.mutate({
      ...(await versioned()),
      partyId,
      channel,
      ...(channel === "phone" ? { call: "spoken" as const } : {}),
      on: addDays(TODAY, -daysAgo),
      wording,
      changeId: newId(),
    });
  const step = async (to: PartyStatus, daysAgo = 0) =>
    practice.api.casework.moveParty.mutate({
      ...(await versioned()),
      partyId: p2.partyId,
      to,
      on: addDays(TODAY, -daysAgo),
      reason: "As they said",
      isOwnDecision: to === "refused" ? true : null,
    });
  const begin = (partyId = p1.partyId, isAskedAgain?: boolean) =>
    aDocument(practice, {
      caseId,
      templateId,
      addressee: { kind: "party", partyId },
      ...(isAskedAgain === undefined ? {} : { isAskedAgain }),
    });
  const finish = ({ id, version }: { id: string; version: number }) =>
    practice.api.documents.finish.mutate({ id, version });
  const book = async (type: MeetingType, days: number) => {
    const input = { caseId, type, partyIds: [p2.partyId], startsAt: `${addDays(TODAY, 3)}T10:00:00.000Z` };
    const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
    const startsAt = new Date(`${addDays(TODAY, days)}T10:00:00.000Z`);
    const endsAt = new Date(startsAt.getTime() + 3_600_000);
    await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { startsAt, endsAt } });
    return id;
  };
  const sayOfContact = async (isAgreed: boolean) =>
    practice.api.casework.recordContactAgreement.mutate({
      ...(await versioned()),
      partyId: p1.partyId,
      isAgreed,
      isNamed: false,
      on: TODAY,
    });
  return { caseId, p1, p2, invite, step, begin, finish, book, sayOfContact };
}

const refusedWith = async (made: Promise<unknown>) => (await refusal(made)).message;

test("documents.create: a letter that nobody answered, where nobody was invited, refused, or has days left to answer, then it is refused and says what is recorded", async () => {
  const { p2, invite, step, begin } = await aFamilyCase("no_response");
  expect(await refusedWith(begin())).toContain("P2 is recorded as “Not invited yet”");
  await invite(2);
  expect(await refusedWith(begin())).toContain("P2 is recorded as “Invited”");
  await step("no_response");
  expect(await refusedWith(begin())).toContain("No invitation that reached P2, and whose last day to answer is over");
  // To P2 it would say that nothing was heard of P1.
  expect(await refusedWith(begin(p2.partyId))).toContain("P1 is recorded as");
  await step("refused");
  expect(await refusedWith(begin())).toContain("P2 is recorded as “Refused”");
});

test("documents.finish: of somebody who did not answer until their last day, it is written and filed; once they have answered, neither it nor a new draft of it is", async () => {
  const { invite, step, begin, finish } = await aFamilyCase("no_response");
  await invite(40);
  await step("no_response", 10);
  expect(await finish(await begin())).toMatchObject({ status: "finished" });
  const draft = await begin();
  await step("responded");
  expect(await refusedWith(finish(draft))).toContain("P2 is recorded as “Responded”");
  const copied = practice.api.documents.copy.mutate({ id: newId(), documentId: draft.id });
  expect(await refusedWith(copied)).toContain("P2 is recorded as “Responded”");
  const word = await fetch(`${app.url}/export/documents/${draft.id}.docx`, { headers: { cookie: practice.cookies() } });
  expect(word.status).toBe(412);
  const stored = await DocumentModel.findOne({ ownerId: practice.ownerId, _id: draft.id }).lean();
  expect(stored).toMatchObject({ status: "draft", fileId: null });
});

test.each([
  ["a call ahead", "call", 2, "Call with P2 is booked for"],
  ["a call of yesterday that nobody marked", "call", -1, "nobody has said yet whether they came"],
  ["a MIAM ahead", "miam", 2, "A first meeting with P2 is booked for"],
] as const)(
  "documents.create: where after the silence there is %s, it waits for that",
  async (_name, type, days, told) => {
    const { invite, step, begin, book } = await aFamilyCase("no_response");
    await invite(40);
    await step("no_response", 10);
    await book(type, days);
    expect(await refusedWith(begin())).toContain(told);
  },
);

test("documents.create: an invitation of somebody who came to their MIAM is written once it is said that they are invited again; one that was begun before they came is begun anew", async () => {
  const { p1, p2, caseId, invite, begin, finish } = await aFamilyCase("invitation");
  expect((await refusal(begin(p1.partyId))).fields).toEqual({
    isAskedAgain: expect.stringContaining("P1 came to their MIAM on"),
  });
  expect(await finish(await begin(p1.partyId, true))).toMatchObject({ status: "finished" });
  const draft = await begin(p2.partyId);
  await invite(20);
  const whose = { caseId, partyId: p2.partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: addDays(TODAY, -2) }));
  expect(await refusedWith(finish(draft))).toContain("P2 came to their MIAM since this invitation was begun");
  expect(await finish(await begin(p2.partyId, true))).toMatchObject({ status: "finished" });
});

const SAYING = doc(para(field("silence.words")));
const saidIn = async (made: ReturnType<typeof aDocument>) => linesOf((await made).content).join();

test("documents.create: of whoever answered and went quiet, fixed words are refused, and the field says what is recorded", async () => {
  const fixed = await aFamilyCase("no_response");
  const saying = await aFamilyCase("no_response", SAYING);
  for (const { invite, step } of [fixed, saying]) {
    await invite(50);
    await step("responded", 45);
    await step("no_response", 44);
    await invite(40);
    await step("no_response", 10);
  }
  expect(await refusedWith(fixed.begin())).toContain("P2 was in touch with us before they went quiet");
  expect(await saidIn(saying.begin())).toBe(
    "You asked us to invite the other participant to take part in mediation. We tried to reach them in writing. They had been in touch with us, and have not answered since we last tried to reach them.",
  );
});

test("documents.create: of whoever was only called, fixed words are refused, and the field says that nothing was written", async () => {
  const fixed = await aFamilyCase("no_response");
  const saying = await aFamilyCase("no_response", SAYING);
  for (const { invite, step } of [fixed, saying]) {
    await invite(40, { channel: "phone" });
    await step("no_response", 10);
  }
  expect(await refusedWith(fixed.begin())).toContain("nothing was written to P2");
  expect(await saidIn(saying.begin())).toBe(
    "You asked us to invite the other participant to take part in mediation. We tried to reach them by phone. They have not answered.",
  );
});

test("documents.finish: how somebody was silent, when it is recorded otherwise since, is not finished", async () => {
  const { p1, invite, step, begin, finish, sayOfContact } = await aFamilyCase("no_response", SAYING);
  await invite(40);
  await step("no_response", 10);
  const draft = await begin(p1.partyId);
  await sayOfContact(false);
  expect(await refusedWith(finish(draft))).toContain("You asked us to invite");
});

test("documents.create: an invitation, when whoever came first does not agree to it, is refused, and is not finished since", async () => {
  const { p2, begin, finish, sayOfContact } = await aFamilyCase("invitation");
  const draft = await begin(p2.partyId);
  await sayOfContact(false);
  expect(await refusedWith(begin(p2.partyId))).toContain("P1 does not agree that the others are contacted");
  expect(await refusedWith(finish(draft))).toContain("P1 does not agree that the others are contacted");
});

test("documents.create: an invitation of somebody who has answered, then it is asked for; one that was begun before is begun anew", async () => {
  const { p2, invite, step, begin, finish } = await aFamilyCase("invitation");
  await invite(20);
  const draft = await begin(p2.partyId);
  await step("responded");
  expect((await refusal(begin(p2.partyId))).fields).toEqual({
    isAskedAgain: expect.stringContaining("P2 has answered already: Responded."),
  });
  expect(await refusedWith(finish(draft))).toContain("begin it anew");
});

test("documents.create: a letter to somebody to whom post is not safe, then their address is not in it", async () => {
  const { p2, begin } = await aFamilyCase("invitation", doc(para(field("client.address"))));
  const { id } = await practice.api.clients.get.query({ id: p2.clientId });
  const stored = { ownerId: practice.ownerId, _id: id };
  await ClientModel.updateOne(stored, { $set: { "address.lines": ["4 Heron Street"], "safeContact.mayPost": true } });
  expect(await saidIn(begin(p2.partyId))).toContain("4 Heron Street");
  await ClientModel.updateOne(stored, { $set: { "safeContact.mayPost": false } });
  expect(await saidIn(begin(p2.partyId))).not.toContain("4 Heron Street");
});

test("documents.finish: an invitation that speaks of a MIAM, when the case is of a workplace, is not finished, and the field says what there is", async () => {
  const { theCase, p1 } = await aCase(practice, { ...ledBy(practice.ownerId), domain: "workplace" });
  const addressee = { kind: "party" as const, partyId: p1.partyId };
  const begun = async (...words: Parameters<typeof para>) =>
    aDocument(practice, {
      caseId: theCase.id,
      templateId: await aTemplateOf(practice, doc(para(...words)), { kind: "invitation" }),
      addressee,
      isAskedAgain: true,
    });
  const { id, version } = await begun("Please come to a MIAM.");
  expect(await refusedWith(practice.api.documents.finish.mutate({ id, version }))).toContain("speaks of a MIAM");
  expect(await saidIn(begun(field("invitation.meeting")))).toBe("an individual meeting");
});
