// A MIAM that somebody had agreed to, and to which they did not come: the calendar knows it, or somebody says so.
import { newId } from "@app/server/core/ids";
import { HOUR_MS } from "@app/server/core/clock";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, aMeetingInput, ledBy, PASSWORD } from "../support/server/people.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** Somebody who answered, and whose MIAM the practice put into the calendar. */
async function booked(startsAt: string) {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aCase(practice, ledBy(ownerId));
  const { id: caseId } = theCase;
  const { partyId } = p2;
  const whose = { caseId, partyId: p1.partyId, mediatorId: ownerId };
  const record = anAssessment(whose, { attendedOn: addDays(TODAY, -90) });
  const { id: assessmentId } = await api.assessments.record.mutate(record);
  await mayContact(theCase);
  const step = async () => ({ ...at(await api.cases.get.query({ id: caseId })), partyId });
  const invitation = { channel: "post" as const, wording: "Come", changeId: newId(), on: addDays(TODAY, -80) };
  await api.casework.inviteParty.mutate({ ...(await step()), ...invitation });
  const move = async (to: "responded" | "intake_done" | "no_response", on: string) =>
    api.casework.moveParty.mutate({ ...(await step()), to, on, reason: "Went quiet" });
  await move("responded", addDays(TODAY, -60));
  await move("intake_done", addDays(TODAY, -50));
  const when = { startsAt, allowsOverlap: true };
  const meeting = await api.meetings.create.mutate(
    aMeetingInput(ownerId, { type: "miam", caseId, partyIds: [partyId], ...when }),
  );
  const mark = async (to: "confirmed" | "no_show") => {
    const { version } = await api.meetings.get.query({ id: meeting.id });
    return api.meetings.setStatus.mutate({ id: meeting.id, version, to });
  };
  const noneWilling = async () => {
    const { statements } = await api.certificates.choices.query({ assessmentId });
    return statements.find(({ statement }) => statement === "none_willing");
  };
  const say = (how: "by_phone" | "no") => api.meetings.noteAgreedTime.mutate({ id: meeting.id, partyId, how });
  return { api, caseId, partyId, assessmentId, mark, move, noneWilling, say, meeting };
}

const PAST = `${addDays(TODAY, -40)}T10:00:00.000Z`;
const SAID = "agreed to attend one, which was booked, and did not come.";

test("meetings.noteAgreedTime: of whoever missed a MIAM of the calendar, when they had agreed to it by phone, the certificate says so", async () => {
  const { api, caseId, partyId, assessmentId, mark, move, noneWilling, say } = await booked(PAST);
  expect((await refusal(say("by_phone"))).message).toContain("did not come to their MIAM");
  await mark("no_show");
  await move("no_response", addDays(TODAY, -20));
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  expect((await say("by_phone")).agreedTimes).toEqual([{ partyId, how: "by_phone" }]);
  expect((await noneWilling())?.sentence).toContain(SAID);
  const { items } = await api.timeline.list.query({ caseId, page: 1 });
  expect(items.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Had P2 agreed .+ Yes, by phone$/));
  const said = { assessmentId, statements: ["none_willing" as const], replaceReason: "" };
  await api.certificates.issue.mutate({ id: newId(), ...said });
  await say("no");
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  const tasks = (await api.tasks.list.query({ caseId })).items.map(({ title }) => title);
  expect(tasks).toContainEqual(expect.stringContaining("Look again at certificate"));
});

test("meetings.setStatus: a MIAM that was confirmed only after it had begun was agreed with nobody", async () => {
  const { mark, move, noneWilling } = await booked(PAST);
  expect((await mark("confirmed")).agreedTimes).toEqual([]);
  await mark("no_show");
  await move("no_response", addDays(TODAY, -20));
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
});

// The last one: it moves the clock.
test("meetings.setStatus: whoever did not come to a MIAM that was confirmed before it began had agreed to it, unless somebody says no", async () => {
  const { mark, move, noneWilling, say, partyId } = await booked(new Date(Date.now() + HOUR_MS).toISOString());
  expect((await mark("confirmed")).agreedTimes).toEqual([{ partyId, how: "confirmed" }]);
  moveTime(2 * HOUR_MS);
  await practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
  await mark("no_show");
  await move("no_response", TODAY);
  expect((await noneWilling())?.sentence).toContain(SAID);
  await say("no");
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
});
