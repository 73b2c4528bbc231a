// A day long before its case was opened is a slip of the pen, whatever happened on it.
import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { addDays, dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, aMiamElsewhere, anUnscreenedMiam } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const today = dayIn("Europe/London", now());
const LONG_AGO = addDays(today, -6 * 366);
const NEARLY = addDays(today, -4 * 365);
const SLIP = expect.stringContaining("over 5 years before the case was opened");

const built = forAllTests(async () => {
  const made = await aCase(practice, ledBy(practice.ownerId));
  await mayContact(made.theCase);
  return made;
});
const at = async () => {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version, partyId: built.p2.partyId };
};
const move = async (on: string) =>
  practice.api.casework.moveParty.mutate({ ...(await at()), to: "responded", on, reason: "" });
const invite = async (on: string) =>
  practice.api.casework.inviteParty.mutate({
    ...(await at()),
    changeId: newId(),
    channel: "post",
    on,
    wording: "A letter",
  });
const whose = () => ({ caseId: built.theCase.id, partyId: built.p2.partyId });

test("a day over five years before the case was opened: when something is recorded of it, then it is refused", async () => {
  const { api } = practice;
  expect((await refusal(move(LONG_AGO))).fields).toEqual({ on: SLIP });
  expect((await refusal(invite(LONG_AGO))).fields).toEqual({ on: SLIP });
  const met = api.assessments.record.mutate(
    anUnscreenedMiam({ ...whose(), mediatorId: practice.ownerId }, { attendedOn: LONG_AGO }),
  );
  expect((await refusal(met)).fields).toEqual({ attendedOn: SLIP });
  const elsewhere = api.assessments.recordElsewhere.mutate(aMiamElsewhere(whose(), { attendedOn: LONG_AGO }));
  expect((await refusal(elsewhere)).fields).toEqual({ attendedOn: SLIP });
  const times = { startedAt: `${LONG_AGO}T10:00:00.000Z`, endedAt: `${LONG_AGO}T11:00:00.000Z` };
  const held = { id: newId(), caseId: built.theCase.id, meetingId: null, ...times, unmetReason: "" };
  expect((await refusal(api.sessions.record.mutate(held))).fields).toEqual({ startedAt: SLIP });
});

test("a day within five years before the case was opened: when something is recorded of it, then it is taken", async () => {
  expect((await move(NEARLY)).parties[1]).toMatchObject({ status: "responded", respondedOn: NEARLY });
});
