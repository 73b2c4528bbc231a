import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { addDays, dayIn } from "@app/shared/days";
import type { Case } from "@app/shared/cases";
import type { Attempt } from "@app/shared/ladders";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(async () => {
  const made = await aCase(practice);
  await mayContact(made.theCase);
  return made;
});

const today = () => dayIn("Europe/London", now());
const at = async () => ({ id: built.theCase.id, version: (await nowCase()).version });
const nowCase = () => practice.api.cases.get.query({ id: built.theCase.id });
const attempts = async () => (await practice.api.casework.invitations.query({ id: built.theCase.id })).attempts;
const statusOf = ({ parties }: Case) => parties[1]?.status;

const invite = async (daysAgo: number, said: Partial<Pick<Attempt, "channel" | "call">> = {}) =>
  practice.api.casework.inviteParty.mutate({
    ...(await at()),
    changeId: newId(),
    partyId: built.p2.partyId,
    channel: "post",
    wording: "A letter",
    ...said,
    on: addDays(today(), -daysAgo),
  });
const strike = async (index: number, reason = "It was never posted") =>
  practice.api.casework.strikeInvitation.mutate({
    ...(await at()),
    attemptId: (await attempts())[index]?.id ?? "",
    reason,
  });
const silent = async () =>
  practice.api.casework.moveParty.mutate({
    ...(await at()),
    partyId: built.p2.partyId,
    to: "no_response",
    on: today(),
    reason: "Silent",
  });
const correct = async () =>
  practice.api.casework.correct.mutate({ ...(await at()), partyId: built.p2.partyId, reason: "It was never posted" });
const titles = async () =>
  (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items.map(({ title }) => title);

test("casework.strikeInvitation: the only invitation counts for nothing any more, stays to be read with its reason, and takes the step back", async () => {
  await invite(40);
  expect(statusOf(await strike(0))).toBe("to_invite");
  expect(await attempts()).toMatchObject([
    { wording: "A letter", isTakenBack: true, struckBecause: "It was never posted" },
  ]);
  expect(await titles()).toEqual([]);
  const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id });
  expect(JSON.stringify(items)).toContain(
    "Invitation of P2 by letter struck as recorded in error, because: It was never posted",
  );
  const own = { caseId: built.theCase.id, partyId: built.p2.partyId };
  const record = JSON.stringify(await practice.api.partyView.preview.query(own));
  expect(record).toContain("That you were invited by letter was recorded in error");
  expect(record).not.toContain("never posted");
  const doc = await mongoose.connection.collection("invitation_attempts").findOne({ caseId: built.theCase.id });
  expect(JSON.stringify(doc)).not.toContain("never posted");
  expect((await refusal(strike(0))).message).toBe("This invitation is struck already.");
});

test("casework.strikeInvitation: while another invitation is left, they stay invited, or silent", async () => {
  await invite(40, { channel: "email" });
  await invite(20);
  expect(statusOf(await strike(1))).toBe("invited");
  expect(await titles()).toEqual([expect.stringContaining("invite again by letter (2 of 3)")]);
  expect(statusOf(await silent())).toBe("no_response");
  expect(statusOf(await strike(0))).toBe("to_invite");
});

test("casework.strikeInvitation: one that was made again after they were silent takes them back to that", async () => {
  await invite(40, { channel: "email" });
  await silent();
  await invite(5);
  expect(statusOf(await strike(1))).toBe("no_response");
});

test("casework.strikeInvitation: what went by mail from here, is of another case, or has no reason, is refused", async () => {
  const to = aLetterTo(built.second.email, { clientId: built.second.id, caseId: built.theCase.id });
  const mail = { ...to, body: richTextOf("Come"), isInvitation: true, sendAt: null };
  await practice.api.compose.send.mutate({ id: newId(), ...mail });
  expect((await refusal(strike(0))).message).toMatch(/^This invitation went by mail from here\./);
  expect((await refusal(strike(0, ""))).fields).toEqual({ reason: "Say what was wrong" });
  expect(await refusal(strike(7))).toMatchObject({ code: expect.stringMatching(/NOT_FOUND|BAD_REQUEST/) });
});

test("casework.correct: the step “Invited” strikes its one invitation; where there are more, each is struck by itself", async () => {
  await invite(40, { channel: "email" });
  await invite(20);
  expect((await refusal(correct())).message).toMatch(/^P2 was invited 2 times\. Strike each/);
  await strike(0);
  expect(statusOf(await correct())).toBe("to_invite");
  expect((await attempts()).map(({ struckBecause }) => struckBecause)).toEqual([
    "It was never posted",
    "It was never posted",
  ]);
});

test("casework.inviteParty: a call that reached nobody is kept, invites nobody, and is no step of the ladder", async () => {
  expect(statusOf(await invite(40, { channel: "phone", call: "nobody" }))).toBe("to_invite");
  expect(await attempts()).toMatchObject([{ channel: "phone", call: "nobody", replyBy: "" }]);
  await invite(30, { channel: "phone", call: "spoken" });
  expect(await titles()).toEqual([expect.stringContaining("invite again by email (1 of 3)")]);
  expect((await refusal(invite(3, { channel: "phone" }))).fields).toEqual({
    call: "Choose whether they were reached, for a call only",
  });
});
