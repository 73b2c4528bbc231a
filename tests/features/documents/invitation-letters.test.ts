// A letter that nobody answered is shown to courts, so that it asks what a certificate asks; an invitation asks whoever came already.
import { newId } from "@app/server/core/ids";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import type { MeetingType } from "@app/shared/meeting-states";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf } from "../../support/documents/case-documents.ts";
import { doc, para } from "../../support/documents/content.ts";
import { anAssessment, anAuthorisedPractice } from "../../support/server/assessments.ts";
import { mayContact } from "../../support/server/contactable.ts";
import { forAllTests } from "../../support/server/lifetimes.ts";
import { TODAY } from "../../support/server/led.ts";
import { aCase, aMeetingInput, ledBy } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** A case whose first party came to their MIAM, with a letter of this kind to one of the two. */
async function aFamilyCase(kind: "no_response" | "invitation") {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: addDays(TODAY, -60) }));
  await mayContact(theCase);
  const templateId = await aTemplateOf(practice, doc(para("We have heard nothing")), { kind });
  const versioned = async () => ({ id: caseId, version: (await practice.api.cases.get.query({ id: caseId })).version });
  const invite = async (daysAgo: number) =>
    practice.api.casework.inviteParty.mutate({
      ...(await versioned()),
      partyId: p2.partyId,
      channel: "post",
      on: addDays(TODAY, -daysAgo),
      wording: "Come",
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
  return { caseId, p1, p2, invite, step, begin, finish, book };
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
