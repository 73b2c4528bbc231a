// Whom nobody has asked anything yet, nothing asks by any way that an invitation could not.
import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { invitationsThatWait } from "@app/server/features/ladders/ladders.migration";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, aStaffUser, type Api, ledBy } from "../support/server/people.ts";
import { cleared } from "../support/server/cleared.ts";
import { leading } from "../support/server/led.ts";
import { authorise } from "../support/server/assessments.ts";
import { aReport, dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;

const { app, smtp, practice } = aSendingPractice();
/** Who is asked. */
let asked = { partyId: "", clientId: "", email: "" };
const built = forEachTest(async () => {
  const made = await aCase(practice, ledBy(practice.ownerId));
  await mayContact(made.theCase);
  asked = { partyId: made.p2.partyId, clientId: made.second.id, email: made.second.email };
  return made;
});

const at = async () => {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version };
};
const askedNow = ({ parties }: Pick<Case, "parties">) => parties.find(({ partyId }) => partyId === asked.partyId);
const p2Now = async () => askedNow(await practice.api.cases.get.query({ id: built.theCase.id }));
const today = () => dayIn("Europe/London", now());
const agree = async (isAgreed: boolean) =>
  practice.api.casework.recordContactAgreement.mutate({
    ...(await at()),
    partyId: built.p1.partyId,
    isAgreed,
    isNamed: false,
    on: today(),
  });
const letter = () => aLetterTo(asked.email, { clientId: asked.clientId, caseId: built.theCase.id });
const inviteByMail = (sendAt: string | null) =>
  practice.api.compose.send.mutate({ ...letter(), id: newId(), isInvitation: true, sendAt });
const inTwoHours = () => new Date(now().getTime() + 120 * MINUTE_MS).toISOString();
const deliver = async () => {
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
};
const stateOf = async (id: string) =>
  (await OutboxModel.findOne({ _id: id }).setOptions({ anyOwner: true }).lean())?.state;

const isHeldByLetter = async (api: Api = practice.api) =>
  (await api.compose.check.mutate(letter())).problems.some(({ code }) => code === "unasked");
const book = (api: Api = practice.api) =>
  api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [asked.partyId],
      type: "miam",
      isInvitationSent: true,
      allowsOverlap: true,
    }),
  );
const invite = async (api: Api = practice.api) =>
  api.casework.inviteParty.mutate({
    ...(await at()),
    partyId: asked.partyId,
    changeId: newId(),
    channel: "post",
    on: today(),
    wording: "A letter",
  });
const gapsFor = async (api: Api = practice.api) =>
  (await api.casework.invitations.query({ id: built.theCase.id })).missing
    .filter(({ partyId }) => partyId === asked.partyId)
    .flatMap(({ gaps }) => gaps.map(({ text }) => text));

/** By every way by which something could reach them. */
async function expectHeld(message: string, api: Api = practice.api): Promise<void> {
  expect(await isHeldByLetter(api)).toBe(true);
  expect(await refusal(book(api))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await gapsFor(api)).toContain(message);
  expect((await refusal(invite(api))).message).toContain(message);
}
async function expectFree(): Promise<void> {
  expect(await isHeldByLetter()).toBe(false);
  expect(await gapsFor()).toEqual([]);
  await book();
  expect(askedNow(await invite())).toMatchObject({ status: "invited" });
}

test("an invitation that is written and has not left: asks nobody yet, so nothing else reaches them once whoever came first says no", async () => {
  const { id } = await inviteByMail(inTwoHours());
  expect(await p2Now()).toMatchObject({ status: "invited", isInvitationWaiting: true });
  expect(await isHeldByLetter()).toBe(false);
  await agree(false);
  expect(await isHeldByLetter()).toBe(true);
  expect((await refusal(book())).message).toContain("is not to be contacted");
  await agree(true);
  await practice.api.outbox.sendNow.mutate({ id });
  await deliver();
  expect(await stateOf(id)).toBe("sent");
  expect(await p2Now()).toMatchObject({ status: "invited", isInvitationWaiting: false });
  await agree(false);
  expect(await isHeldByLetter()).toBe(false);
});

test("an invitation that is written and has not left: when whoever came first is found not safe or leaves, then nothing else reaches them", async () => {
  await inviteByMail(inTwoHours());
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
  expect(await isHeldByLetter()).toBe(true);
  await practice.api.casework.moveParty.mutate({
    ...(await at()),
    partyId: built.p1.partyId,
    to: "withdrawn",
    on: today(),
    reason: "Said so",
    isOwnDecision: true,
  });
  expect(await isHeldByLetter()).toBe(true);
  expect((await refusal(book())).code).toBe("PRECONDITION_FAILED");
});

test("meetings.create: when whoever came first is not safe, then who may read screenings is told so, and to book without invitations; others that it waits", async () => {
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
  const permissions = ["clients.read" as const, "clients.write" as const, "calendar.manage" as const];
  const blind = await aStaffUser(app, practice, { permissions });
  const { message } = await refusal(book());
  expect(message).toMatch(/^Somebody in this case is not safe to mediate.+book without invitations\.$/);
  expect((await refusal(book(blind.api))).message).toBe(SCREENING_SAYS_NOT_YET);
});

test("meetings.create: whoever was asked and has not answered is asked to no appointment once whoever came first takes it back", async () => {
  await invite();
  await agree(false);
  expect((await refusal(invite())).message).toContain("does not agree that the others are contacted");
  expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED" });
  const { items } = await practice.api.timeline.list.query({ clientId: asked.clientId });
  expect(items.map(({ text }) => text).join()).not.toMatch(/appointment/i);
  await agree(true);
  await book();
});

test("an invitation that is written and has not left: beside one by post, its party was asked; once that is struck they were not", async () => {
  await inviteByMail(inTwoHours());
  await invite();
  expect(await p2Now()).toMatchObject({ isInvitationWaiting: false });
  const { attempts } = await practice.api.casework.invitations.query({ id: built.theCase.id });
  const byPost = attempts.find(({ channel }) => channel === "post")?.id ?? "";
  await practice.api.casework.strikeInvitation.mutate({
    ...(await at()),
    attemptId: byPost,
    reason: "It was never posted",
  });
  expect(await p2Now()).toMatchObject({ status: "invited", isInvitationWaiting: true });
});

test("invitationsThatWait: of invitations from before this was kept, those that wait invite nobody yet, however often it runs", async () => {
  const { id } = await inviteByMail(inTwoHours());
  const before = async () => {
    const cases = mongoose.connection.collection<{ _id: string }>("cases");
    await cases.updateOne({ _id: built.theCase.id }, { $unset: { "parties.$[].isInvitationWaiting": "" } });
    const of = { mailId: id };
    await mongoose.connection.collection("invitation_attempts").updateOne(of, { $unset: { isWaiting: "" } });
  };
  await before();
  for (const _twice of [1, 2]) await invitationsThatWait(log);
  const { parties } = await practice.api.cases.get.query({ id: built.theCase.id });
  expect(parties.map(({ isInvitationWaiting }) => isInvitationWaiting)).toEqual([false, true]);
  await practice.api.outbox.sendNow.mutate({ id });
  await deliver();
  expect(await p2Now()).toMatchObject({ isInvitationWaiting: false });
});

test("an invitation by mail that bounced: nobody has asked its party, and somebody finds another way", async () => {
  const { id } = await inviteByMail(null);
  await deliver();
  expect(await stateOf(id)).toBe("sent");
  const report = { address: built.second.email, reason: "550 no such user", isLasting: true, at: new Date() };
  await OutboxModel.updateOne({ _id: id }, { $set: { saidToBounce: report } }).setOptions({ anyOwner: true });
  await practice.api.outbox.settleBounce.mutate({ id, hasBounced: true });
  expect(await p2Now()).toMatchObject({ status: "to_invite" });
  const { attempts } = await practice.api.casework.invitations.query({ id: built.theCase.id });
  expect(attempts).toMatchObject([{ delivery: "bounced", cameBackOn: today() }]);
  const { items } = await practice.api.tasks.list.query({ caseId: built.theCase.id });
  expect(items.map(({ title }) => title)).toEqual([expect.stringContaining("find another way to reach them")]);
  await agree(false);
  expect(await isHeldByLetter()).toBe(true);
});

test("a concern that somebody reported: holds all ways to whom nobody asked, in words that tell nobody else of it", async () => {
  const worker = await aStaffUser(app, practice, {
    role: 3,
    permissions: ["clients.read", "clients.write", "calendar.manage", "mail.send", "mail.read"],
  });
  await practice.api.safeguarding.report.mutate(aReport(built.theCase.id));
  await expectHeld(SCREENING_SAYS_NOT_YET, worker.api);
  await expectHeld("Complete the safeguarding entry of this case, or say in it why none is needed.");
  await dismissEntries(practice.api, built.theCase.id);
  await expectFree();
});

test("an entry whose screening was struck: holds all ways to whom nobody asked", async () => {
  const given = aScreening(built.theCase, built.p1.partyId, withMeasures("shuttle"));
  const answers = { ...given.answers, child_harm: told("She hides when he shouts") };
  const { id } = await practice.api.screenings.complete.mutate({ ...given, answers });
  await practice.api.screenings.strike.mutate({ id, reason: "Of somebody else" });
  await expectHeld("Complete the safeguarding entry of this case, or say in it why none is needed.");
});

test("a safety review that raised a concern: holds all ways to whom nobody asked, until a screening answers it", async () => {
  const { api } = practice;
  await authorise(practice);
  await leading(practice, built.theCase.id, "kept").mediate();
  const email = `ruth.${newId()}@example.org`;
  const { id: clientId } = await api.clients.create.mutate(aClient({ email, phones: [] }));
  const party = { clientId, role: "respondent" as const, side: "" };
  const { parties } = await api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
  await api.conflicts.decide.mutate({ id: newId(), caseId: built.theCase.id, decision: "clear", reason: "" });
  asked = { partyId: parties.at(-1)?.partyId ?? "", clientId, email };
  expect(await gapsFor()).toEqual([expect.stringContaining("was asked before P3 joined")]);
  await agree(true);
  expect(await gapsFor()).toEqual([]);
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const found = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "She is afraid of him now" };
  for (const [partyId, label] of [
    [built.p1.partyId, "P1"],
    [built.p2.partyId, "P2"],
  ] as const) {
    await api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId, ...found });
    await expectHeld(`Screen ${label} again: a safety review raised a concern.`);
    await api.screenings.complete.mutate(aScreening(built.theCase, partyId));
    expect(await gapsFor()).toEqual([]);
    expect(await isHeldByLetter()).toBe(false);
  }
  await expectFree();
});

test("an invitation that waits: when a concern is reported before it leaves, then it does not leave", async () => {
  const { id } = await inviteByMail(null);
  await practice.api.safeguarding.report.mutate(aReport(built.theCase.id));
  await deliver();
  expect(await stateOf(id)).toBe("failed");
  expect(smtp.received.filter(({ to }) => to.includes(asked.email))).toEqual([]);
});

test.each(["conflicted", null] as const)(
  "a conflict check that is decided as %s: holds all ways to whom nobody asked",
  async (decision) => {
    const { conflicts } = practice.api;
    const of = { ownerId: practice.ownerId, caseId: built.theCase.id };
    if (decision) await conflicts.decide.mutate({ id: newId(), caseId: built.theCase.id, decision, reason: "Known" });
    else await mongoose.connection.collection("conflict_checks").deleteMany(of);
    const [gap = ""] = await gapsFor();
    expect(gap).toMatch(/conflict check/);
    await expectHeld(gap);
    await conflicts.decide.mutate({ id: newId(), caseId: built.theCase.id, decision: "clear", reason: "" });
    await expectFree();
  },
);

test("a second case of the same two: when whoever keeps them unasked stands second there, no letter nor meeting tells them", async () => {
  await agree(false);
  const second = await practice.api.casework.create.mutate(
    aCaseInput([asked.clientId, built.first.id], ledBy(practice.ownerId)),
  );
  await cleared(second);
  const [mine] = second.parties;
  const write = () =>
    practice.api.compose.send.mutate({
      ...aLetterTo(asked.email, { clientId: asked.clientId, caseId: second.id }),
      id: newId(),
      sendAt: null,
    });
  const book = () =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: second.id,
        type: "call",
        partyIds: [mine?.partyId ?? ""],
        isInvitationSent: true,
      }),
    );
  expect((await refusal(write())).message).toContain("not to be contacted");
  expect((await refusal(book())).message).toContain("not to be contacted yet");
  // What they say of it in the case where they were asked counts in the other one too.
  await agree(true);
  await write();
  await book();
});

test("a client with the same address: when a case of theirs is with whoever keeps somebody unasked, no letter goes to that address", async () => {
  await agree(false);
  const again = await practice.api.clients.create.mutate(aClient({ lastName: "Twin", email: asked.email }));
  const open = async (otherId: string) => {
    const made = await practice.api.casework.create.mutate(aCaseInput([again.id, otherId], ledBy(practice.ownerId)));
    await cleared(made);
    return made.id;
  };
  const write = (caseId: string) =>
    practice.api.compose.send.mutate({
      ...aLetterTo(asked.email, { clientId: again.id, caseId }),
      id: newId(),
      sendAt: null,
    });
  expect((await refusal(write(await open(built.first.id)))).message).toContain("not to be contacted");
  const other = await practice.api.clients.create.mutate(aClient({ lastName: "Nobodyelse" }));
  await write(await open(other.id));
});
