// That nobody else came to a MIAM: of whoever once answered it never says that they did not.
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { noteCalendarReply } from "@app/server/features/meetings/replies.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { PartyStatus } from "@app/shared/case-states";
import { DAY_MS } from "@app/server/core/clock";
import { moveTime } from "../support/access/refusal.ts";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, ledBy, PASSWORD } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const today = new Date().toISOString().slice(0, 10);
/** The lines of a paper break anywhere. */
const unbroken = (words: string) => words.toLowerCase().replaceAll(" ", "");
const UNANSWERED = unbroken("has not answered");
const MISSED = unbroken("the other participant agreed to attend one, which was booked, and did not come.");
const OFFERED = unbroken(
  "the other participant was invited to an appointment for one, has not answered, and did not come.",
);
const ANSWERED = unbroken("the other participant answered at first, and has not attended one.");

/** A MIAM that the practice put into the calendar, and marked as missed. */
const IN_THE_CALENDAR = "in the calendar";
/** The same, to whose invitation they had said yes. */
const ACCEPTED = "accepted";
/** The same, to whose invitation they had said no. */
const DECLINED = "declined";
/** The same, to which a mail had invited them, and they said nothing. */
const TOLD = "told";
/** Marked as missed, and then that they came late. */
const CAME_LATE = "came late";
/** Each of them marked as not there, and then as there. */
const MARKED_ANEW = "marked anew";
/** Marked as not there, and nobody said that it took place. */
const MARKED_ABSENT = "marked as absent";
/** Marked as there, and nobody said that it took place. */
const MARKED = "marked";
const APPOINTMENTS = [
  IN_THE_CALENDAR,
  ACCEPTED,
  DECLINED,
  TOLD,
  CAME_LATE,
  MARKED_ANEW,
  MARKED,
  MARKED_ABSENT,
] as const;

type Way = readonly [PartyStatus | "invited" | (typeof APPOINTMENTS)[number], number];
const ANSWERED_FIRST: Way[] = [
  ["invited", 80],
  ["responded", 60],
  ["intake_done", 55],
];
const AFTER_A_MISSED_MIAM: Way[] = [...ANSWERED_FIRST, ["miam_booked", 50], ["miam_missed", 40], ["no_response", 20]];

interface Missing {
  caseId: string;
  partyId: string;
  clientId: string;
  on: string;
  how: (typeof APPOINTMENTS)[number];
}

const signInAnew = () =>
  practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });

async function missInCalendar({ caseId, partyId, clientId, on, how }: Missing) {
  const isTold = how === TOLD;
  const when = { startsAt: `${on}T10:00:00.000Z`, allowsOverlap: true };
  const input = aMeetingInput(practice.ownerId, {
    caseId,
    partyIds: [partyId],
    type: "miam",
    isInvitationSent: isTold,
    ...when,
  });
  const { id, version } = await practice.api.meetings.create.mutate(input);
  if (isTold) {
    // As it is once its mail has left, and its day has come.
    const left = { state: "sent" as const, sentAt: new Date() };
    const mails = await OutboxModel.updateMany({ ownerId: practice.ownerId, caseId, partyId }, { $set: left });
    expect(mails.modifiedCount).toBe(1);
    moveTime(Date.parse(on) + DAY_MS - Date.now());
    await signInAnew();
  }
  if (how === ACCEPTED || how === DECLINED) {
    const [entry] = (await MeetingModel.findOne({ ownerId: practice.ownerId, _id: id }).lean())?.uids ?? [];
    const { email } = await practice.api.clients.get.query({ id: clientId });
    const answer = {
      uid: entry?.uid ?? "",
      sequence: entry?.sequence ?? 0,
      address: email,
      reply: how,
    };
    expect(await noteCalendarReply(practice.ownerId, answer, true)).toBe(true);
  }
  const mark = (attendance: "present" | "no_show") =>
    practice.api.meetings.setAttendance.mutate({ id, partyId, attendance });
  if (how === MARKED_ANEW) await mark("no_show");
  if (how === MARKED_ABSENT) return mark("no_show");
  if (how === MARKED || how === MARKED_ANEW) return mark("present");
  await practice.api.meetings.setStatus.mutate({ id, version, to: "no_show" });
  if (how !== CAME_LATE) return;
  const { status, attendance } = await practice.api.meetings.setAttendance.mutate({ id, partyId, attendance: "late" });
  expect({ status, attendance }).toEqual({ status: "completed", attendance: [{ partyId, attendance: "late" }] });
}

const isAppointment = (way: Way[0]): way is (typeof APPOINTMENTS)[number] => APPOINTMENTS.some((one) => one === way);

/** A case whose first party attended a MIAM; the other was invited, and went these ways, each so many days ago. */
const invited = (...ways: Way[]) => going(ways, true);

async function going(ways: Way[], isAgreed: boolean) {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
  const record = anAssessment(whose, { attendedOn: addDays(today, -90) });
  const { id: assessmentId } = await practice.api.assessments.record.mutate(record);
  await mayContact(theCase);
  const versioned = async () => ({ id: caseId, version: (await practice.api.cases.get.query({ id: caseId })).version });
  for (const [to, daysAgo] of ways) {
    const step = { ...(await versioned()), partyId: p2.partyId, on: addDays(today, -daysAgo) };
    if (to === "invited")
      await practice.api.casework.inviteParty.mutate({ ...step, channel: "post", wording: "Come", changeId: newId() });
    else if (isAppointment(to)) await missInCalendar({ caseId, ...p2, on: step.on, how: to });
    else {
      const isOwnDecision = to === "withdrawn" ? true : null;
      const hasAgreed = to === "miam_booked" ? isAgreed : null;
      await practice.api.casework.moveParty.mutate({ ...step, to, reason: "Went quiet", isOwnDecision, hasAgreed });
    }
  }
  const { statements } = await practice.api.certificates.choices.query({ assessmentId });
  const noneWilling = statements.find(({ statement }) => statement === "none_willing");
  const issue = async (fewerReason?: string) => {
    const said = { assessmentId, statements: ["none_willing" as const], fewerReason, replaceReason: "" };
    const { id } = await practice.api.certificates.issue.mutate({ id: newId(), ...said });
    return (await pdfText(app, practice, `/export/certificates/${id}.pdf`)).replaceAll(/\s/g, "");
  };
  return { caseId, partyId: p2.partyId, noneWilling, issue };
}

test("certificates.issue: whoever agreed to a MIAM, had one booked and did not come is certified so without another invitation", async () => {
  const { noneWilling, issue } = await invited(...AFTER_A_MISSED_MIAM);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: false });
  const paper = await issue();
  expect(paper).toContain(MISSED);
  expect(paper).not.toContain(UNANSWERED);
});

test("certificates.choices: whoever missed a MIAM and was invited again has until the last day of that to answer", async () => {
  const { noneWilling } = await invited(...AFTER_A_MISSED_MIAM, ["invited", 2], ["no_response", 0]);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test("certificates.issue: of whoever answered and had no MIAM booked it says so once another invitation ran out, and no more", async () => {
  const { noneWilling: quiet } = await invited(...ANSWERED_FIRST, ["no_response", 50]);
  expect(quiet).toMatchObject({ isAllowed: false });
  const { issue } = await invited(...ANSWERED_FIRST, ["no_response", 50], ["invited", 40], ["no_response", 1]);
  const paper = await issue("They asked for no more letters");
  expect(paper).toContain(ANSWERED);
  expect(paper).not.toContain(UNANSWERED);
  expect(paper).not.toContain(MISSED);
});

test("certificates.issue: of whoever never answered it says so, and never that they agreed or did not come", async () => {
  const { issue } = await invited(["invited", 60], ["no_response", 1]);
  const paper = await issue("They hang up");
  expect(paper).toContain(UNANSWERED);
  for (const words of [MISSED, ANSWERED]) expect(paper).not.toContain(words);
});

test("certificates.choices: nobody agreed to a MIAM that was put into the calendar, and never told or answered", async () => {
  const { noneWilling } = await invited([IN_THE_CALENDAR, 10], ["no_response", 0]);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test("certificates.issue: of whoever was invited and never answered it says that, also after a MIAM in the calendar was marked as missed", async () => {
  const { noneWilling, issue } = await invited(["invited", 60], [IN_THE_CALENDAR, 10], ["no_response", 0]);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: true });
  const paper = await issue("They hang up");
  expect(paper).toContain(UNANSWERED);
  expect(paper).not.toContain(MISSED);
});

test("certificates.choices: whoever had answered agreed to no MIAM of which nobody told them, though the calendar moved them to it", async () => {
  const { noneWilling } = await invited(...ANSWERED_FIRST, [IN_THE_CALENDAR, 40], ["no_response", 20]);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test("certificates.issue: whoever had answered, never agreed to the MIAM in the calendar, and is silent when invited again, answered at first", async () => {
  const again: Way[] = [
    ["no_response", 38],
    ["invited", 30],
    ["no_response", 1],
  ];
  const { noneWilling, issue } = await invited(...ANSWERED_FIRST, [IN_THE_CALENDAR, 40], ...again);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: true });
  const paper = await issue("They hang up");
  expect(paper).toContain(ANSWERED);
  expect(paper).not.toContain(MISSED);
});

test("certificates.issue: whoever had answered, and said yes to the MIAM that they missed, is certified so", async () => {
  const { issue } = await invited(...ANSWERED_FIRST, [ACCEPTED, 40], ["no_response", 20]);
  expect(await issue()).toContain(MISSED);
});

test("certificates.choices: whoever said no to the MIAM in the calendar did not agree to it", async () => {
  const { noneWilling } = await invited(...ANSWERED_FIRST, ["miam_booked", 50], [DECLINED, 40], ["no_response", 20]);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test.each([
  [
    "only rang to ask something",
    [
      ["invited", 60],
      ["responded", 50],
      [IN_THE_CALENDAR, 10],
      ["no_response", 0],
    ],
  ],
  [
    "had answered, and went quiet",
    [
      ["invited", 60],
      ["responded", 58],
      ["no_response", 50],
      ["invited", 40],
      [IN_THE_CALENDAR, 10],
      ["no_response", 0],
    ],
  ],
] as const)(
  "certificates.choices: whoever %s agreed to no MIAM that was put into the calendar",
  async (_what, ways) => {
    const { noneWilling, issue } = await invited(...ways);
    const paper = noneWilling?.isAllowed ? await issue("They asked for no more letters") : "";
    expect(paper).not.toContain(MISSED);
  },
);

test.each([CAME_LATE, MARKED_ANEW] as const)(
  "meetings.setAttendance: whoever was marked as not there and then as there (%s) attended it, and nobody is certified as not willing",
  async (how) => {
    const { noneWilling } = await invited(...ANSWERED_FIRST, [how, 40]);
    expect(noneWilling).toMatchObject({ isAllowed: false, because: expect.stringContaining("attended a MIAM") });
  },
);

test("certificates.choices: of whoever is marked as there it never says that they did not come, whatever a later step says", async () => {
  const { noneWilling } = await invited(...ANSWERED_FIRST, [MARKED, 40], ["miam_missed", 40], ["no_response", 20]);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test("certificates.choices: whoever had a MIAM booked by hand, and had not agreed to it, is not certified as having missed one", async () => {
  const { noneWilling } = await going(AFTER_A_MISSED_MIAM, false);
  expect(noneWilling).toMatchObject({ isAllowed: false });
});

test("certificates.choices: of whoever is marked as not there it was said whether they came", async () => {
  const goneQuiet: Way[] = [
    ["no_response", 35],
    ["invited", 30],
    ["no_response", 0],
  ];
  const { noneWilling } = await invited(...ANSWERED_FIRST, [MARKED_ABSENT, 40], ...goneQuiet);
  expect(noneWilling).toMatchObject({ isAllowed: true });
});

test("certificates.issue: whoever said yes to the invitation to a MIAM, and did not come to it, is certified so", async () => {
  const { noneWilling, issue } = await invited([ACCEPTED, 10], ["no_response", 0]);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: false });
  expect(await issue()).toContain(MISSED);
});

test.each(["no_response", "withdrawn"] as const)(
  "meetings.setAttendance: whoever signed that nobody is willing is asked to look once somebody who is recorded as %s is marked as late",
  async (to) => {
    const { caseId, partyId, issue } = await invited(...ANSWERED_FIRST, [ACCEPTED, 40], [to, 20]);
    const asked = async () =>
      (await practice.api.tasks.list.query({ caseId })).items.filter(({ title }) => title.startsWith("Look again at"));
    await issue();
    expect(await asked()).toEqual([]);
    const { _id: id } = (await MeetingModel.findOne({ ownerId: practice.ownerId, caseId }).lean()) ?? { _id: "" };
    await practice.api.meetings.setAttendance.mutate({ id, partyId, attendance: "late" });
    expect(await asked()).toMatchObject([{ title: expect.stringContaining("somebody answered after it said") }]);
  },
);

// The last ones: they move the clock, by which whoever is signed in would be signed out when it is set back.
test("certificates.issue: of whoever was told of a MIAM, never answered and did not come it says so, as one attempt to reach them", async () => {
  const { noneWilling, issue } = await invited([TOLD, -2], ["no_response", -2]);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: true });
  const paper = await issue("They hang up");
  expect(paper).toContain(OFFERED);
  for (const words of [MISSED, ANSWERED]) expect(paper).not.toContain(words);
});

test("certificates.issue: whoever had answered, and was told of a MIAM to which they neither replied nor came, answered at first", async () => {
  await signInAnew();
  const { noneWilling, issue } = await invited(...ANSWERED_FIRST, [TOLD, -2], ["no_response", -2]);
  expect(noneWilling).toMatchObject({ isAllowed: true, asksFewer: true });
  const paper = await issue("They hang up");
  expect(paper).toContain(ANSWERED);
  for (const words of [MISSED, OFFERED]) expect(paper).not.toContain(words);
});
