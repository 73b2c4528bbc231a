// The calendar says that people met: it asks for what a session of that day would have asked, and for the session.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import type { MeetingType } from "@app/shared/meeting-states";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { NOT_SAFE, aScreening } from "../support/server/screened.ts";
import { OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const WHY = "Both sat in the waiting room and the mediator was asked to begin";
type Built = Awaited<ReturnType<typeof aCase>>;

const begun = (minutesAgo = 5) => new Date(Date.now() - minutesAgo * 60_000).toISOString();

/** A meeting of both sides that began a moment ago. */
const book = ({ theCase, p1, p2 }: Built, type: MeetingType = "mediation", partyIds = [p1.partyId, p2.partyId]) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { type, caseId: theCase.id, partyIds, startsAt: begun(), allowsOverlap: true }),
  );

/** Both were screened, and nobody has agreed to anything yet. */
async function early(domain: Case["domain"]) {
  const built = await aCase(practice, { domain });
  const { theCase, p1, p2 } = built;
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  for (const { partyId } of [p1, p2]) await practice.api.screenings.complete.mutate(aScreening(theCase, partyId));
  return built;
}

const complete = async (id: string, unmetReason?: string, { api } = practice as Pick<typeof practice, "api">) => {
  const { version } = await practice.api.meetings.get.query({ id });
  return api.meetings.setStatus.mutate({ id, version, to: "completed", unmetReason });
};

const mark = (id: string, partyId: string, more: { attendance?: "present" | "no_show"; unmetReason?: string } = {}) =>
  practice.api.meetings.setAttendance.mutate({ id, partyId, attendance: "present", ...more });

const anUnsafeCase = async () => {
  const built = await aMediatedCase(practice);
  const meeting = await book(built);
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
  return { ...built, meeting };
};

const tasksOf = async (caseId: string) =>
  (await practice.api.tasks.list.query({ caseId, isOpen: true, page: 1 })).items.filter(({ title }) =>
    title.startsWith("Write up the session of"),
  );

const UNSAFE = "did not allow mediation";

describe("a joint meeting that is recorded as held", () => {
  test.each(["mediation", "shuttle", "pre_meeting"] as const)(
    "meetings.setStatus: when nobody of a %s had signed and mediation had not begun, then it asks why, and keeps it",
    async (type) => {
      const built = await early("family");
      const { id } = await book(built, type);
      for (const none of [undefined, "", " - "])
        expect((await refusal(complete(id, none))).fields).toEqual({
          unmetReason: expect.stringMatching(/Mediation has not begun in this case\..*had not signed the agreement/),
        });
      const done = await complete(id, WHY);
      expect(done).toMatchObject({ status: "completed", unmet: { reason: WHY } });
      expect(done.unmet?.what).toContain("Mediation has not begun in this case.");
      expect(JSON.stringify(await MeetingModel.findOne({ ownerId: practice.ownerId, _id: id }).lean())).not.toContain(
        "waiting room",
      );
    },
  );

  test.each([
    ["family", "call", "P1 had not been screened. P2 had not been screened."],
    ["family", "other", "P1 had not been screened. P2 had not been screened."],
    ["civil", "call", null],
    ["workplace", "other", null],
    ["community", "pre_meeting", null],
  ] as const)(
    "meetings.setStatus: in a case of the kind %s, when both sides came to a meeting of the type %s before anybody agreed to mediate, then it asks: %s",
    async (domain, type, asked) => {
      const built = await early(domain);
      const { id } = await book(built, type);
      await ScreeningModel.deleteMany({ ownerId: practice.ownerId, caseId: built.theCase.id });
      if (asked === null) return expect(await complete(id)).not.toHaveProperty("unmet");
      expect((await refusal(complete(id))).fields).toEqual({
        unmetReason: `At that time this was missing: ${asked} Say why they met all the same; it is kept with the meeting.`,
      });
    },
  );

  test.each(["call", "pre_meeting"] as const)(
    "meetings.setStatus: in a civil case, when somebody was found not safe before a %s of both sides, then it asks why",
    async (type) => {
      const built = await early("civil");
      const { id } = await book(built, type);
      await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
      expect((await refusal(complete(id))).fields).toEqual({
        unmetReason:
          "At that time this was missing: The screening of P2 did not allow mediation. Say why they met all the same; it is kept with the meeting.",
      });
    },
  );

  test("meetings.setStatus: when somebody was found not safe, then the reason is asked of and shown to whoever reads screenings alone", async () => {
    const { theCase, meeting } = await anUnsafeCase();
    const { id } = meeting;
    const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] });
    expect((await refusal(complete(id, WHY, blind))).code).toBe("PRECONDITION_FAILED");
    expect((await refusal(complete(id))).fields).toEqual({ unmetReason: expect.stringContaining(UNSAFE) });
    expect((await complete(id, WHY)).unmet).toMatchObject({ what: [expect.stringContaining(UNSAFE)], reason: WHY });
    const seen = (await blind.api.meetings.get.query({ id })).unmet;
    expect(seen).toMatchObject({ what: [expect.stringContaining("Something of the safety screening")], reason: null });
    const told = async (api: typeof practice.api) =>
      JSON.stringify(await api.timeline.list.query({ caseId: theCase.id, page: 1 }));
    expect(await told(practice.api)).toContain("recorded as held though something was missing");
    expect(await told(blind.api)).not.toContain("recorded as held though something was missing");
  });

  test("meetings.setAttendance: of two sides the second who came is asked about, the reason is asked once, and goes with a wrong mark", async () => {
    const { p1, p2, meeting } = await anUnsafeCase();
    const { id } = meeting;
    await mark(id, p1.partyId);
    expect((await refusal(mark(id, p2.partyId))).fields).toEqual({ unmetReason: expect.stringContaining(UNSAFE) });
    expect((await mark(id, p2.partyId, { unmetReason: WHY })).unmet).toMatchObject({ reason: WHY });
    expect(await mark(id, p2.partyId, { attendance: "no_show" })).not.toHaveProperty("unmet");
    expect((await mark(id, p2.partyId, { unmetReason: WHY })).unmet).toMatchObject({ reason: WHY });
    expect((await complete(id)).unmet).toMatchObject({ reason: WHY });
  });

  test("meetings.setStatus and setAttendance: where nothing was missing, or one side came alone, nothing is asked", async () => {
    const built = await aMediatedCase(practice);
    const { id } = await book(built);
    for (const { partyId } of [built.p1, built.p2]) await mark(id, partyId);
    expect(await complete(id)).not.toHaveProperty("unmet");
    const { p1, p2, meeting } = await anUnsafeCase();
    await mark(meeting.id, p1.partyId);
    await mark(meeting.id, p2.partyId, { attendance: "no_show" });
    expect(await complete(meeting.id)).not.toHaveProperty("unmet");
  });
});

describe("the session of a meeting that was held", () => {
  test("a mediation that took place without one makes a task for its mediator, which goes once it is written up", async () => {
    const built = await aMediatedCase(practice);
    const caseId = built.theCase.id;
    const { id } = await book(built);
    await complete(id);
    expect(await tasksOf(caseId)).toMatchObject([{ assigneeId: practice.ownerId, caseId, dueOn: TODAY }]);
    const times = { startedAt: begun(4), endedAt: begun(1) };
    await practice.api.sessions.record.mutate({ id: newId(), caseId, meetingId: id, ...times, unmetReason: WHY });
    expect(await tasksOf(caseId)).toEqual([]);
  });

  test("one that names no meeting, of the same day, ends it too, and of one that is there already nobody is asked", async () => {
    const built = await aMediatedCase(practice);
    const caseId = built.theCase.id;
    await complete((await book(built)).id);
    expect(await tasksOf(caseId)).toHaveLength(1);
    const times = { startedAt: begun(4), endedAt: begun(1) };
    await practice.api.sessions.record.mutate({ id: newId(), caseId, meetingId: null, ...times, unmetReason: WHY });
    expect(await tasksOf(caseId)).toEqual([]);
    await complete((await book(built)).id);
    expect(await tasksOf(caseId)).toEqual([]);
  });

  test("of two of one day the session of one is none of the other, and is that of the other once its hours are corrected", async () => {
    const yesterday = addDays(TODAY, -1);
    const built = await aMediatedCase(practice, { startedOn: yesterday });
    const caseId = built.theCase.id;
    const hours = (hour: string) => `${yesterday}T${hour}:00:00.000Z`;
    const asked: string[] = [];
    for (const hour of ["09", "15"]) {
      const partyIds = [built.p1.partyId, built.p2.partyId];
      const of = { type: "mediation" as const, caseId, partyIds, startsAt: hours(hour), allowsOverlap: true };
      const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, of));
      await complete(id, WHY);
      for (const task of await tasksOf(caseId)) if (!asked.includes(task.id)) asked.push(task.id);
    }
    const times = { startedAt: hours("09"), endedAt: hours("10") };
    const written = { id: newId(), caseId, meetingId: null, ...times, unmetReason: WHY };
    const { id } = await practice.api.sessions.record.mutate(written);
    expect((await tasksOf(caseId)).map((task) => task.id)).toEqual([asked[1]]);
    const later = { startedAt: hours("15"), endedAt: hours("16"), reason: "The wrong hour", unmetReason: WHY };
    await practice.api.sessions.setTimes.mutate({ id, changeId: newId(), ...later });
    const open = await tasksOf(caseId);
    expect(open).toHaveLength(1);
    expect(asked).not.toContain(open[0]?.id);
  });

  test("where the other side turns out not to have come, and of a call, there is none", async () => {
    const built = await aMediatedCase(practice);
    const caseId = built.theCase.id;
    const { id } = await book(built);
    await complete(id);
    await mark(id, built.p2.partyId, { attendance: "no_show" });
    expect(await tasksOf(caseId)).toEqual([]);
    await complete((await book(built, "call")).id);
    expect(await tasksOf(caseId)).toEqual([]);
  });

  test("one that goes on asks by itself: its meeting is completed without another question", async () => {
    const built = await aMediatedCase(practice, { startedOn: addDays(TODAY, -1) });
    const { id: meetingId } = await book(built);
    await practice.api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId });
    await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
    expect(await complete(meetingId)).not.toHaveProperty("unmet");
    expect(await tasksOf(built.theCase.id)).toEqual([]);
  });
});

describe("a case that ends while a session of it is to be written up", () => {
  const end = async ({ id }: Case, more: object = {}) => {
    const { version } = await practice.api.cases.get.query({ id });
    const outcome = { ...OUTCOME, issues: [] };
    const move = { id, version, to: "terminated" as const, ending: "broken_down" as const, outcome };
    return practice.api.casework.move.mutate({ ...move, reason: "They could not go on", ...more });
  };

  test("casework.move: then the task is named and it ends only once that is confirmed", async () => {
    const built = await aMediatedCase(practice);
    await complete((await book(built)).id);
    const [task] = await tasksOf(built.theCase.id);
    const title = task?.title ?? "none";
    expect(await practice.api.casework.steps.query({ id: built.theCase.id })).toMatchObject({ unwritten: [title] });
    for (const told of [{}, { unwritten: 2 }])
      expect((await refusal(end(built.theCase, told))).fields).toEqual({
        unwritten: `Still to do: ${title}. Do that first, or confirm that the case ends all the same.`,
      });
    expect(await end(built.theCase, { unwritten: 1 })).toMatchObject({ status: "terminated" });
  });

  test("casework.move: once somebody says that it is done, nothing is asked, and a pause asks nothing either", async () => {
    const built = await aMediatedCase(practice);
    await complete((await book(built)).id);
    const paused = await end(built.theCase, { to: "paused", ending: null, outcome: null });
    const [task] = await tasksOf(paused.id);
    await practice.api.tasks.setStatus.mutate({ id: task?.id ?? "", status: "done" });
    expect(await practice.api.casework.steps.query({ id: paused.id })).toMatchObject({ unwritten: [] });
    expect(await end(paused)).toMatchObject({ status: "terminated" });
  });
});

test("meetings.setStatus: a call of both sides once mediation has ended asks nothing, and what was found of somebody all the same", async () => {
  const ended = async () => {
    const built = await aMediatedCase(practice);
    const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
    const outcome = { ...OUTCOME, issues: [] };
    await practice.api.casework.move.mutate({ id, version, to: "concluded", outcome, reason: "They stopped" });
    return { ...built, both: [built.p1.partyId, built.p2.partyId] };
  };
  const bookNow = ({ theCase, both }: Awaited<ReturnType<typeof ended>>, startsAt = begun(0)) => {
    const of = { type: "call" as const, caseId: theCase.id, partyIds: both, allowsOverlap: true };
    return practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { ...of, startsAt }));
  };
  const built = await ended();
  const done = await complete((await bookNow(built)).id);
  expect([done.status, done.unmet ?? null]).toEqual(["completed", null]);
  // The same where that it had ended was written down only afterwards.
  const late = await ended();
  await CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: late.theCase.id },
    { $set: { concludedOn: daysAgo(20) } },
  );
  const called = await complete((await bookNow(late, `${daysAgo(3)}T10:00:00.000Z`)).id);
  expect([called.status, called.unmet ?? null]).toEqual(["completed", null]);
  const unsafe = await ended();
  const { id } = await bookNow(unsafe);
  await practice.api.screenings.complete.mutate(aScreening(unsafe.theCase, unsafe.p2.partyId, NOT_SAFE));
  expect((await refusal(complete(id))).fields).toEqual({ unmetReason: expect.stringContaining(UNSAFE) });
});
