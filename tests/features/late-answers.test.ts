import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { mayContact } from "../support/server/contactable.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(async () => {
  const made = await aCase(practice);
  await mayContact(made.theCase);
  return made;
});

const ago = (days: number) => addDays(dayIn("Europe/London", now()), -days);
const nowCase = () => practice.api.cases.get.query({ id: built.theCase.id });

async function invited(daysAgo: number) {
  const { id, version } = await nowCase();
  await practice.api.casework.inviteParty.mutate({
    changeId: newId(),
    id,
    version,
    partyId: built.p2.partyId,
    channel: "email",
    on: ago(daysAgo),
    wording: "Asked whether they can talk",
    call: "",
  });
}

async function step(to: PartyStatus, daysAgo: number, reason = "") {
  const { id, version } = await nowCase();
  const { partyId } = built.p2;
  const on = ago(daysAgo);
  return practice.api.casework.moveParty.mutate({ id, version, partyId, to, reason, on, isOwnDecision: null });
}

async function move(to: "not_proceeding" | "enquiry", reason: string) {
  const { id, version } = await nowCase();
  const end = to === "not_proceeding" ? { ending: "no_answer" as const } : {};
  await practice.api.casework.move.mutate({ id, version, to, reason, ...end });
}

const open = async () =>
  (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items.map(({ title, dueOn, assigneeId }) => ({
    title,
    dueOn,
    assigneeId,
  }));

test("casework.moveParty: “no response” of a day before the last day to answer asks why, though that day is over now", async () => {
  await invited(40);
  expect(await refusal(step("no_response", 39))).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("Enter a later day, or say why"),
  });
  await step("no_response", 0);
  expect((await nowCase()).parties.find(({ partyId }) => partyId === built.p2.partyId)).toMatchObject({
    status: "no_response",
  });
});

test("casework.moveParty: whoever answers once the case has ended is a task for its mediator, until it is reopened", async () => {
  await invited(40);
  await step("no_response", 0);
  await move("not_proceeding", "Nobody answered");
  expect((await open()).filter(({ title }) => title.includes("got in touch"))).toEqual([]);
  await step("responded", 0, "Rang today");
  const name = `${built.second.firstName} ${built.second.lastName}`;
  const told = {
    title: `${name} got in touch after the case had ended: decide whether to reopen it`,
    dueOn: ago(0),
    assigneeId: practice.ownerId,
  };
  expect(await open()).toContainEqual(told);
  await move("enquiry", "They want to talk now");
  expect(await open()).not.toContainEqual(told);
});
