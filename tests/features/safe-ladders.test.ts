// What the record of somebody's safe contact forbids, no step of the ladder asks for, and nobody does without saying why.
import { newId } from "@app/server/core/ids";
import { AttemptModel } from "@app/server/features/ladders/attempts.model";
import { DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";
import { addDays } from "@app/shared/days";
import type { InviteChannel } from "@app/shared/ladders";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, ledBy } from "../support/server/people.ts";
import { aScreening, told } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const today = new Date().toISOString().slice(0, 10);

async function aLadder(safe: Partial<SafeContact>) {
  const { theCase, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const { id } = theCase;
  await mayContact(theCase);
  const setSafe = async (changed: Partial<SafeContact>) => {
    const client = await practice.api.clients.get.query({ id: p2.clientId });
    const { displayName: _name, status: _status, isContactUnchecked: _is, createdAt: _at, ...rest } = client;
    const { id: clientId, version, updatedAt: _on, updatedByName: _by, ...fields } = rest;
    const safeContact = { ...DEFAULT_SAFE_CONTACT, ...changed };
    await practice.api.clients.update.mutate({ id: clientId, version, client: { ...fields, safeContact } });
  };
  if (Object.keys(safe).length > 0) await setSafe(safe);
  const invite = async (
    channel: InviteChannel,
    said: { daysAgo?: number; call?: "spoken" | "message" | "nobody"; againstBecause?: string } = {},
  ) => {
    const { daysAgo = 0, ...further } = said;
    const { version } = await practice.api.cases.get.query({ id });
    const made = { id, version, partyId: p2.partyId, channel, on: addDays(today, -daysAgo), wording: "Come" };
    return practice.api.casework.inviteParty.mutate({ ...made, ...further, changeId: newId() });
  };
  const tasks = async (start: string) =>
    (await practice.api.tasks.list.query({ caseId: id, isOpen: true })).items
      .map(({ title }) => title)
      .filter((title) => title.startsWith(start));
  return { theCase, p2, invite, tasks, setSafe };
}

test("casework.inviteParty: the next task passes over the ways that are forbidden, and says which are safe", async () => {
  const { invite, tasks } = await aLadder({ mayPost: false });
  await invite("email");
  const [title, ...others] = await tasks("If ");
  expect(others).toEqual([]);
  expect(title).toContain("invite again by phone (3 of 3). Use email, phone or text message. Leave no voicemail.");
});

test("casework.inviteParty: where every further way is forbidden, they are tried by a safe one as often as anybody, and then no more", async () => {
  const { invite, tasks } = await aLadder({ mayPost: false, mayPhone: false });
  await invite("email", { daysAgo: 40 });
  expect(await tasks("If ")).toEqual([
    expect.stringContaining("invite again by a safe way (2 of 3). Use email or text message."),
  ]);
  // Several messages at once are one attempt.
  await invite("text", { daysAgo: 39 });
  await invite("text", { daysAgo: 30 });
  expect(await tasks("If ")).toEqual([expect.stringContaining("by a safe way (3 of 3)")]);
  await invite("email", { daysAgo: 20 });
  expect(await tasks("If ")).toEqual([expect.stringContaining("decide whether to record “No response”")]);
});

test("casework.inviteParty: where no way at all is safe, nobody is told to try another, and it is decided what follows", async () => {
  const { invite, tasks } = await aLadder({ mayPost: false, mayPhone: false, mayEmail: false, mayText: false });
  await invite("text", { againstBecause: "Their mother said it is fine" });
  expect(await tasks("If ")).toEqual([expect.stringContaining("decide whether to record “No response”")]);
});

test("casework.inviteParty: when nobody picks up on two days, then the step of the call was tried, and no response is decided", async () => {
  const { invite, tasks, theCase, p2 } = await aLadder({});
  const calls = (daysAgo: number) => invite("phone", { daysAgo, call: "nobody" });
  await invite("email", { daysAgo: 60 });
  await invite("post", { daysAgo: 50 });
  expect(await tasks("If ")).toEqual([expect.stringContaining("invite again by phone (3 of 3)")]);
  await calls(30);
  await calls(30);
  expect(await tasks("If ")).toEqual([expect.stringContaining("invite again by phone (3 of 3)")]);
  await calls(29);
  expect(await tasks("If ")).toEqual([expect.stringContaining("decide whether to record “No response”")]);
  const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
  expect(attempts.filter(({ call }) => call === "nobody")).toHaveLength(3);
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const struck = attempts.findLast(({ call }) => call === "nobody")?.id ?? "";
  await practice.api.casework.strikeInvitation.mutate({
    id: theCase.id,
    version,
    attemptId: struck,
    reason: "Not rung",
  });
  expect(await tasks("If ")).toEqual([expect.stringContaining("invite again by phone (3 of 3)")]);
  const party = (await practice.api.cases.get.query({ id: theCase.id })).parties.find(
    ({ partyId }) => partyId === p2.partyId,
  );
  expect(party?.status).toBe("invited");
});

test("casework.inviteParty: when nobody was reached at all, then calls alone invite nobody", async () => {
  const { invite, tasks } = await aLadder({});
  for (const daysAgo of [30, 20, 10]) await invite("phone", { daysAgo, call: "nobody" });
  expect(await tasks("If ")).toEqual([]);
});

test("clients.update: a task that names a way that is forbidden now is replaced, and comes back where it is allowed again", async () => {
  const { invite, tasks, setSafe } = await aLadder({});
  await invite("email");
  expect(await tasks("If ")).toEqual([expect.stringMatching(/invite again by letter \(2 of 3\)$/)]);
  await setSafe({ mayPost: false });
  expect(await tasks("If ")).toEqual([expect.stringContaining("invite again by phone (3 of 3)")]);
  await setSafe({});
  expect(await tasks("If ")).toEqual([expect.stringMatching(/invite again by letter \(2 of 3\)$/)]);
});

test.each([
  ["a letter", { mayPost: false }, "post", {}],
  ["a mail from elsewhere", { mayEmail: false }, "email", {}],
  ["a call", { mayPhone: false }, "phone", { call: "spoken" }],
  ["a call that reached nobody", { mayPhone: false }, "phone", { call: "nobody" }],
  ["a message on the voicemail", { mayLeaveVoicemail: false }, "phone", { call: "message" }],
  ["a text message", { mayText: false }, "text", {}],
] as const)(
  "casework.inviteParty: %s that is forbidden is kept only with why, and a mediator is asked to look",
  async (_what, safe, channel, call) => {
    const { invite, tasks, theCase, p2 } = await aLadder(safe);
    const refused = await refusal(invite(channel, call));
    expect(refused.fields).toEqual({ againstBecause: expect.stringContaining("not marked as a safe way") });
    expect(await AttemptModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(0);
    await invite(channel, { ...call, againstBecause: "It went out by mistake" });
    expect(await tasks("Safety: P2 was tried")).toHaveLength(1);
    const { attempts, ways } = await practice.api.casework.invitations.query({ id: theCase.id });
    expect(attempts).toMatchObject([{ channel, againstBecause: "It went out by mistake" }]);
    expect(ways.find(({ partyId }) => partyId === p2.partyId)?.words).not.toBe("");
    const [stored] = await AttemptModel.find({ ownerId: practice.ownerId, caseId: theCase.id }).lean();
    expect(JSON.stringify(stored)).not.toContain("It went out by mistake");
  },
);

test("casework.inviteParty: by a way that is safe nothing is asked, and nothing kept of why", async () => {
  const { invite, tasks, theCase } = await aLadder({ mayPost: false });
  await invite("phone", { call: "spoken", againstBecause: "Not needed" });
  expect(await tasks("Safety: P2 was tried")).toEqual([]);
  const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
  expect(attempts).toMatchObject([{ againstBecause: "" }]);
});

test("screenings.complete: whoever tells of an unsafe way is tried by none until somebody has looked", async () => {
  const { invite, tasks, theCase, p2 } = await aLadder({});
  await invite("email");
  const screening = aScreening(theCase, p2.partyId);
  const answers = { ...screening.answers, contact: told("He opens letters") };
  await practice.api.screenings.complete.mutate({ ...screening, answers });
  const [title] = [...(await tasks("If ")), ...(await tasks("Before "))];
  if (title !== undefined) expect(title).toContain("check how they may be reached safely");
  const { ways } = await practice.api.casework.invitations.query({ id: theCase.id });
  expect(ways.find(({ partyId }) => partyId === p2.partyId)?.forbidden).toEqual(["email", "post", "phone", "text"]);
  expect((await refusal(invite("post"))).fields).toHaveProperty("againstBecause");
});
