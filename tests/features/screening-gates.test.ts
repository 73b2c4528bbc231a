// No joint meeting or session without screenings that allow it, and none against what was agreed for somebody's safety.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Permission } from "@app/shared/access";
import { addDays, dayIn } from "@app/shared/days";
import { SAFETY_REVIEWS_MAX } from "@app/shared/safety-reviews";
import type { CompleteScreening, Measure } from "@app/shared/screenings";
import type { CreateMeeting } from "@app/shared/meetings";
import { richTextOf } from "@app/shared/rich-text";
import { JOINT } from "@app/shared/sessions";
import { PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPractice, aStaffUser, type Api, type TestPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

const WITHOUT = "This has to wait for the safety screening. Ask a colleague who may read screenings.";
const BOOKING: Permission[] = ["clients.read", "clients.write", "calendar.manage"];
const WHY = "They asked for it, and came with supporters";
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

let app: TestApp;
let practice: TestPractice;
/** Books and starts, and may not read screenings. */
let blind: Api;
beforeAll(async () => {
  app = await startTestApp();
  practice = await aPractice(app);
  blind = (await aStaffUser(app, practice, { permissions: BOOKING })).api;
});
afterAll(() => app.close());

const aScreenedCase = (...found: (Partial<CompleteScreening> | null)[]) => screenedCaseOf(practice, found);

const age = (caseId: string, days: number) =>
  mongoose.connection
    .collection("screenings")
    .updateMany({ caseId }, { $set: { heldOn: addDays(dayIn("Europe/London", new Date()), -days) } });

describe("who may meet", () => {
  test.each<[string, (Partial<CompleteScreening> | null)[], number, string]>([
    ["one has no screening", [{}, null], 0, "Complete the screening of P2."],
    ["nobody has one", [null, null], 0, "Complete the screening of P1. Complete the screening of P2."],
    ["one was found not safe", [{}, NOT_SAFE], 0, "The latest screening of P2 does not allow mediation."],
    ["one was screened long ago", [{}, {}], 181, "Screen P1 again: the last screening is over 180 days old."],
  ])(
    "a joint meeting and a session: where %s, are refused, with the finding only for who may read it",
    async (_what, found, days, says) => {
      const { theCase, input, start } = await aScreenedCase(...found);
      if (days) await age(theCase.id, days);
      for (const [api, message] of [
        [practice.api, expect.stringContaining(says)],
        [blind, WITHOUT],
      ] as const) {
        const refused = { code: "PRECONDITION_FAILED", message };
        expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject(refused);
        expect(await refusal(api.meetings.create.mutate(input({ partyIds: [] })))).toMatchObject(refused);
        expect(await refusal(start(api))).toMatchObject(refused);
      }
      expect((await practice.api.sessions.ofCase.query({ id: theCase.id })).items).toEqual([]);
      expect(await mongoose.connection.collection("meetings").countDocuments({ caseId: theCase.id })).toBe(0);
    },
  );

  test("a joint meeting: where one was screened long ago and it was recorded today, or before the day was asked for, is refused", async () => {
    const { theCase, p2, input } = await aScreenedCase({}, null);
    const { api } = practice;
    const heldOn = addDays(dayIn("Europe/London", new Date()), -181);
    await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, { heldOn }));
    const says = { message: "Screen P2 again: the last screening is over 180 days old." };
    expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject(says);
    const ofP2 = { caseId: theCase.id, partyId: p2.partyId };
    const completedAt = new Date(Date.now() - 182 * 86_400_000);
    const screenings = mongoose.connection.collection("screenings");
    await screenings.updateOne(ofP2, { $set: { completedAt }, $unset: { heldOn: "" } });
    expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject(says);
    await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, { heldOn: addDays(heldOn, 1) }));
    expect((await api.meetings.create.mutate(input())).status).toBe("booked");
  });

  test("a separate meeting: where nobody was screened, is booked and its session starts", async () => {
    const { p1, input, start } = await aScreenedCase(null, null);
    for (const type of ["miam", "pre_meeting", "call"] as const) {
      const meeting = await practice.api.meetings.create.mutate(input({ type, partyIds: [p1.partyId] }));
      const { id } = await start(practice.api, meeting.id);
      await practice.api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
    }
  });

  test("a meeting that was booked: once somebody is found not safe, is neither moved, confirmed nor started, but cancelled", async () => {
    const { theCase, p2, input, start } = await aScreenedCase({}, {});
    const { api } = practice;
    const { id, version } = await api.meetings.create.mutate(input());
    const prepared = await api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: id });
    await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
    const { startsAt, endsAt } = input();
    const moved = { changeId: newId(), id, version, startsAt, endsAt, reason: "", allowsOverlap: false };
    const moves = [
      () => api.meetings.reschedule.mutate(moved),
      () => api.meetings.setStatus.mutate({ id, version, to: "confirmed" }),
      () => start(api, id),
      () => api.sessions.move.mutate({ id: prepared.id, changeId: newId(), to: "in_progress" }),
    ];
    for (const move of moves) expect(await refusal(move())).toMatchObject({ code: "PRECONDITION_FAILED" });
    const cancel = { changeId: newId(), id, version, reason: "Not safe", isLate: false, isWholeSeries: false };
    expect((await api.meetings.cancel.mutate(cancel)).status).toBe("cancelled");
    await api.screenings.complete.mutate(aScreening(theCase, p2.partyId));
    const paused = await api.cases.get.query({ id: theCase.id });
    expect(paused.status).toBe("paused");
    await api.casework.move.mutate({ id: paused.id, version: paused.version, to: "in_mediation", reason: "" });
    expect((await start(api)).status).toBe("in_progress");
  });

  test("a separate meeting: with a second party who was not screened added to it, is refused", async () => {
    const { p1, both, input } = await aScreenedCase({}, null);
    const { api } = practice;
    const { id, version } = await api.meetings.create.mutate(input({ partyIds: [p1.partyId] }));
    const { type, title, location, mediatorIds, arrivals, note } = input();
    const details = { id, version, type, title, location, mediatorIds, arrivals, note, partyIds: both };
    expect(await refusal(api.meetings.update.mutate(details))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("a session and a finding at the same moment: however they meet, none runs that began after the finding", async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { theCase, p1, input, start } = await aScreenedCase({}, {});
      const meeting = await practice.api.meetings.create.mutate(input());
      const again = await practice.api.meetings.create.mutate(input());
      const finding = practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
      const [, begun] = await Promise.allSettled([finding, start(practice.api, meeting.id)]);
      const { items } = await practice.api.screenings.list.query({ caseId: theCase.id });
      if (begun.status === "fulfilled") expect(begun.value.startedAt ?? "").toBeTruthy();
      else expect(items[0]?.suitable).toBe("no");
      expect(await refusal(start(practice.api, again.id))).toMatchObject({ code: "PRECONDITION_FAILED" });
    }
  });
});

describe("measures", () => {
  test.each<[string, CompleteScreening["measures"][number], Partial<CreateMeeting>]>([
    ["separate rooms", "separate_rooms", { arrangements: ["separate_rooms"] }],
    ["shuttle", "shuttle", { type: "shuttle" }],
    ["online only", "online_only", { location: { kind: "video", place: "" } }],
    ["support person", "support_person", { arrangements: ["support_person"] }],
  ])(
    "meetings.create: against %s, is refused without a reason, and not with what was agreed",
    async (name, measure, kept) => {
      const { input } = await aScreenedCase(withMeasures(measure), {});
      const { api } = practice;
      expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject({
        code: "BAD_REQUEST",
        fields: { againstMeasures: `Say why this meeting goes without: ${name}.` },
      });
      expect(await refusal(blind.meetings.create.mutate(input()))).toMatchObject({ message: WITHOUT });
      expect(await api.meetings.create.mutate(input(kept))).toMatchObject({ status: "booked", againstMeasures: "" });
      expect((await blind.meetings.create.mutate(input(kept))).status).toBe("booked");
    },
  );

  test("meetings.create: with separate arrivals agreed, asks that they come at different times", async () => {
    const { p2, input } = await aScreenedCase(withMeasures("separate_arrivals"), {});
    const { api } = practice;
    expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject({ code: "BAD_REQUEST" });
    const arrivals = [{ partyId: p2.partyId, minutesBefore: 15 }];
    expect((await api.meetings.create.mutate(input({ arrivals }))).arrivals).toEqual(arrivals);
  });

  test("S70: why a meeting goes against measures: is kept encrypted, moves with it, and is read with screenings alone", async () => {
    const { both, input } = await aScreenedCase(withMeasures("separate_rooms"), {});
    const { api } = practice;
    const againstMeasures = "Both asked to sit together";
    const { id, version } = await api.meetings.create.mutate(input({ againstMeasures }));
    const { startsAt, endsAt } = input();
    const moved = await api.meetings.reschedule.mutate({
      changeId: newId(),
      id,
      version,
      startsAt,
      endsAt,
      reason: "",
      allowsOverlap: false,
    });
    expect(moved.againstMeasures).toBe(againstMeasures);
    const seen = await blind.meetings.get.query({ id: moved.id });
    expect(seen.againstMeasures).toBe("");
    const { type, title, location, mediatorIds, arrivals } = input();
    const change = { id: moved.id, version: moved.version, type, title, location, mediatorIds, arrivals };
    const saved = await blind.meetings.update.mutate({ ...change, partyIds: both, note: "Coffee" });
    expect((await api.meetings.get.query({ id: saved.id })).againstMeasures).toBe(againstMeasures);
    const docs = await mongoose.connection.collection("meetings").find({}).toArray();
    expect(JSON.stringify(docs)).not.toContain(againstMeasures);
  });

  test("screenings.complete: where a joint meeting is booked already, new measures that it goes without make a task, for who may read screenings", async () => {
    const { theCase, p1, both, input } = await aScreenedCase({}, {});
    const { api } = practice;
    await api.meetings.create.mutate(input());
    await api.meetings.create.mutate(input({ type: "shuttle" }));
    await api.meetings.create.mutate(input({ type: "call", partyIds: [both[1] ?? ""] }));
    const tasksOf = async (by: Api) =>
      (await by.tasks.list.query({ page: 1, caseId: theCase.id })).items.filter(({ title }) =>
        title.includes("look at"),
      );
    const screen = () =>
      api.screenings.complete.mutate(
        aScreening(theCase, p1.partyId, withMeasures("separate_rooms", "no_contact_details")),
      );
    await screen();
    const task = {
      title: expect.stringMatching(/^Safety: look at the meeting of .* 2031.*: the screening asks for separate rooms$/),
      assigneeId: practice.ownerId,
    };
    expect(await tasksOf(api)).toMatchObject([task]);
    expect(await tasksOf(blind)).toEqual([]);
    await screen();
    expect(await tasksOf(api)).toHaveLength(1);
    const { clientId } = p1;
    const said = async (by: Api) => JSON.stringify(await by.timeline.list.query({ clientId }));
    expect(await said(api)).toContain("the screening asks for");
    expect(await said(blind)).not.toContain("the screening asks for");
  });

  const MISSING = "What was agreed for their safety: shuttle.";

  test("sessions.start: without a meeting and against measures, asks why, keeps it for whoever may read screenings, and asks no more", async () => {
    const { theCase, start, both } = await aScreenedCase(withMeasures("shuttle", "separate_arrivals"), {});
    const { sessions } = practice.api;
    expect(await refusal(start(blind))).toMatchObject({ code: "PRECONDITION_FAILED", message: WITHOUT });
    expect((await refusal(start(practice.api))).fields).toEqual({
      unmetReason: expect.stringContaining("goes without: shuttle, separate arrivals."),
    });
    expect((await sessions.ofCase.query({ id: theCase.id })).items).toEqual([]);
    const wish = { id: newId(), caseId: theCase.id, meetingId: null };
    const { id, unmet } = await sessions.start.mutate({ ...wish, unmetReason: WHY });
    expect(unmet).toMatchObject([{ what: expect.arrayContaining([MISSING]), reason: WHY }]);
    const [seen] = (await blind.sessions.get.query({ id })).unmet;
    expect(seen?.reason).toBeNull();
    expect(JSON.stringify(seen)).not.toContain("shuttle");

    const change = () => ({ id, changeId: newId() });
    for (const partyId of both) {
      await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    const locked = sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before, written later" });
    expect((await locked).unmet[0]).toMatchObject({ what: expect.arrayContaining([MISSING]), reason: WHY });
  });

  test("sessions.move: a session that was prepared and begins against measures, asks why; one in a form that keeps to them does not", async () => {
    const { theCase } = await aScreenedCase(withMeasures("shuttle"), {});
    const { sessions } = practice.api;
    const prepare = () => sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
    const begin = (id: string, unmetReason = "") =>
      sessions.move.mutate({ id, changeId: newId(), to: "in_progress", unmetReason });
    const first = await prepare();
    expect((await refusal(begin(first.id))).fields).toHaveProperty("unmetReason");
    expect(await begin(first.id, WHY)).toMatchObject({
      status: "in_progress",
      unmet: [{ what: [MISSING], reason: WHY }],
    });
    await sessions.move.mutate({ id: first.id, changeId: newId(), to: "ended" });
    const second = await prepare();
    await sessions.update.mutate({ id: second.id, changeId: newId(), format: "shuttle" });
    expect(await begin(second.id)).toMatchObject({ status: "in_progress", unmet: [] });
  });

  test("sessions.start: of a meeting that was booked before there were measures, asks why; of one that was booked against them does not", async () => {
    const { theCase, p1, input } = await aScreenedCase({}, {});
    const { meetings, screenings, sessions } = practice.api;
    const book = async (againstMeasures = "") => (await meetings.create.mutate(input({ againstMeasures }))).id;
    const start = (meetingId: string, unmetReason = "") =>
      sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId, unmetReason });
    const askFor = (...measures: Measure[]) =>
      screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures(...measures)));
    const before = await book();
    await askFor("separate_rooms");
    const [against, later] = [await book(WHY), await book(WHY)];
    expect((await refusal(start(before))).fields).toEqual({
      unmetReason: expect.stringContaining("goes without: separate rooms."),
    });
    const held = async (...wish: Parameters<typeof start>) => {
      const { id, unmet } = await start(...wish);
      await sessions.move.mutate({ id, changeId: newId(), to: "ended" });
      return unmet;
    };
    expect(await held(before, WHY)).toMatchObject([{ reason: WHY }]);
    expect(await held(against)).toEqual([]);
    // Of what is asked for since, the reason that was given then says nothing.
    await askFor("separate_rooms", "support_person");
    const { version } = await meetings.get.query({ id: later });
    const { startsAt, endsAt } = input();
    const moved = await meetings.reschedule.mutate({
      id: later,
      changeId: newId(),
      version,
      startsAt,
      endsAt,
      reason: "",
      allowsOverlap: false,
    });
    const { fields } = await refusal(start(moved.id));
    expect(fields).toEqual({ unmetReason: expect.stringContaining("goes without: support person.") });
  });

  test("sessions.move: somebody with measures came to a meeting of others, then why is asked for before it is locked", async () => {
    const { theCase, p1, both, input } = await aScreenedCase({}, withMeasures("separate_rooms"));
    const { meetings, sessions } = practice.api;
    const { id: meetingId } = await meetings.create.mutate(input({ partyIds: [p1.partyId] }));
    const { id } = await sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
    const change = () => ({ id, changeId: newId() });
    for (const partyId of both) {
      await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    const lock = (unmetReason: string) => sessions.move.mutate({ ...change(), to: "locked", unmetReason });
    expect((await refusal(lock(""))).fields["unmetReason"]).toContain("agreed for their safety: separate rooms.");
    expect((await lock(WHY)).unmet).toMatchObject([{ reason: WHY }]);
  });

  test("sessions.record: a past session against the measures of its day, asks why it was held all the same", async () => {
    const { theCase } = await aScreenedCase(withMeasures("shuttle"), {});
    const started = { startedOn: addDays(dayIn("Europe/London", new Date()), -30) };
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: started });
    await age(theCase.id, 20);
    const record = (daysAgo: number, unmetReason: string) => {
      const day = addDays(dayIn("Europe/London", new Date()), -daysAgo);
      const times = { startedAt: `${day}T10:00:00.000Z`, endedAt: `${day}T11:00:00.000Z` };
      const wish = { id: newId(), caseId: theCase.id, meetingId: null, ...times, unmetReason };
      return practice.api.sessions.record.mutate(wish);
    };
    expect((await refusal(record(7, ""))).fields).toEqual({ unmetReason: expect.stringContaining(MISSING) });
    expect((await record(7, WHY)).unmet).toMatchObject([{ what: expect.arrayContaining([MISSING]), reason: WHY }]);
    const before = (await record(25, WHY)).unmet.flatMap(({ what }) => what);
    expect(before).not.toContain(MISSING);
  });

  test("screenings.measures: tells the measures of each party, to who may read screenings alone", async () => {
    const { theCase, p1 } = await aScreenedCase(withMeasures("shuttle"), {});
    const asked = { caseId: theCase.id };
    const { items } = await practice.api.screenings.measures.query(asked);
    expect(items).toEqual([{ partyId: p1.partyId, measures: ["shuttle"] }]);
    expect(await refusal(blind.screenings.measures.query(asked))).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("the review before a joint session", () => {
  async function anEndedSession() {
    const found = await aScreenedCase({}, {});
    const { api } = practice;
    const { id } = await found.start(api);
    const change = () => ({ id, changeId: newId() });
    for (const partyId of found.both)
      await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    await api.sessions.move.mutate({ ...change(), to: "ended" });
    return { ...found, api, change };
  }

  test("sessions.move: to locked, is refused until everybody who came was asked, in words that tell no finding to others", async () => {
    const { api, change, p1, p2 } = await anEndedSession();
    const lock = (by: Api) =>
      by.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
    expect((await refusal(lock(api))).message).toBe("Record the safety review of P1 and P2.");
    await api.sessions.reviewSafety.mutate({ ...change(), partyId: p1.partyId, ...STILL_SAFE });
    expect((await refusal(lock(api))).message).toBe("Record the safety review of P2.");
    expect((await refusal(lock(blind))).message).toBe(
      "The safety reviews of this session have to be looked at first. Ask a mediator of the case, or the owner.",
    );
    await api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...STILL_SAFE });
    expect((await refusal(lock(blind))).message).toBe(WITHOUT);
    expect((await lock(api)).status).toBe("locked");
  });

  test("sessions.reviewSafety: a session that has as many reviews as it may, then it is refused, and says what to do", async () => {
    const { api, change, p1 } = await anEndedSession();
    const review = { sessionId: change().id, ownerId: practice.ownerId };
    const reviews = Array.from({ length: SAFETY_REVIEWS_MAX }, () => ({ ...review }));
    await mongoose.connection.collection("safety_reviews").insertMany(reviews);
    const one = api.sessions.reviewSafety.mutate({ ...change(), partyId: p1.partyId, ...STILL_SAFE });
    expect(await refusal(one)).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: `A session has at most ${SAFETY_REVIEWS_MAX} safety reviews. Screen this party again instead.`,
    });
  });

  test.each([
    ["is not safe", { isSafe: false }],
    ["needs other measures", { doMeasuresFit: false }],
  ])(
    "sessions.reviewSafety: a party who %s, needs words, makes a task, and waits for a new screening",
    async (_what, said) => {
      const { api, change, theCase, p2, start, input } = await anEndedSession();
      const review = { ...change(), partyId: p2.partyId, ...STILL_SAFE, ...said };
      for (const note of ["", " ... "])
        expect((await refusal(api.sessions.reviewSafety.mutate({ ...review, note }))).fields).toHaveProperty("note");
      await api.sessions.reviewSafety.mutate({ ...review, note: "He waited outside" });
      const says = { message: "Screen P2 again: a safety review raised a concern." };
      expect(await refusal(start(api))).toMatchObject(says);
      expect(await refusal(api.meetings.create.mutate(input()))).toMatchObject(says);
      expect(await refusal(start(blind))).toMatchObject({ message: WITHOUT });
      const tasksOf = async (by: Api) =>
        (await by.tasks.list.query({ page: 1, caseId: theCase.id })).items.map(({ title }) => title).toSorted();
      expect(await tasksOf(api)).toEqual([
        "Complete a safeguarding entry",
        `Safety: screen ${theCase.parties[1]?.name} again`,
      ]);
      expect(await tasksOf(blind)).toEqual([]);
      const complete = (heldOn: string) => api.screenings.complete.mutate(aScreening(theCase, p2.partyId, { heldOn }));
      const today = dayIn("Europe/London", new Date());
      const ofP2 = { caseId: theCase.id, partyId: p2.partyId };
      await mongoose.connection.collection("screenings").updateOne(ofP2, { $set: { heldOn: addDays(today, -2) } });
      await complete(addDays(today, -1));
      expect(await refusal(start(api))).toMatchObject(says);
      await complete(today);
      expect((await start(api)).status).toBe("in_progress");
      const kept = await mongoose.connection.collection("safety_reviews").find({}).toArray();
      expect(JSON.stringify(kept)).not.toContain("waited outside");
    },
  );

  test("sessions.setPaused: a session that was paused, once somebody is found not safe, does not go on but ends", async () => {
    const { theCase, p1, start } = await aScreenedCase({}, {});
    const { api } = practice;
    const { id } = await start(api);
    const pause = (isPaused: boolean) => api.sessions.setPaused.mutate({ id, changeId: newId(), isPaused });
    await pause(true);
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    expect(await refusal(pause(false))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect((await api.sessions.move.mutate({ id, changeId: newId(), to: "ended" })).status).toBe("ended");
  });

  const NOBODY_IS_TOLD =
    "A screening or safety review says that this is not safe. Nothing can be shared with the parties in a session until a new screening allows mediation. End one that still runs.";

  test.each([
    ["the screening finds somebody not safe", "screening"],
    ["a safety review of the session raises a concern", "review"],
  ])("sessions: when %s, then nothing that parties read comes into it, and the team writes on", async (_what, by) => {
    const { theCase, p2, start } = await aScreenedCase({}, {});
    const { api } = practice;
    const { id } = await start(api);
    const change = () => ({ id, changeId: newId() });
    const offer = (sessionId = id) =>
      api.sessions.addProposal.mutate({
        ...change(),
        id: sessionId,
        proposalId: newId(),
        issue: "Family home",
        text: "P2 gives up the house",
        byPartyId: JOINT,
        visibility: SHARED,
        countersId: null,
        release: null,
      });
    const { proposals } = await offer();
    const note = (visibility: Visibility) =>
      api.sessions.addNote.mutate({
        sessionId: id,
        note: { id: newId(), kind: "file_note", visibility, body: richTextOf("He shouted") },
      });
    if (by === "screening") await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
    else
      await api.sessions.reviewSafety.mutate({
        ...change(),
        partyId: p2.partyId,
        ...STILL_SAFE,
        isSafe: false,
        note: "He shouted",
      });
    const agree = { ...change(), proposalId: proposals[0]?.id ?? "", to: "agreed_in_principle" as const };
    for (const tell of [() => offer(), () => api.sessions.setProposalStatus.mutate(agree), () => note(SHARED)])
      expect(await refusal(tell())).toMatchObject({ code: "PRECONDITION_FAILED", message: NOBODY_IS_TOLD });
    expect((await refusal(blind.sessions.setProposalStatus.mutate({ ...agree, ...change() }))).message).toBe(WITHOUT);
    await note(PRACTICE_ONLY);
    await api.sessions.setProposalStatus.mutate({ ...agree, ...change(), to: "withdrawn" });
    expect((await api.sessions.move.mutate({ ...change(), to: "ended" })).status).toBe("ended");
    // Neither once it is over, nor in one that is said to have been held.
    for (const tell of [() => offer(), () => note(SHARED)])
      expect(await refusal(tell())).toMatchObject({ code: "PRECONDITION_FAILED", message: NOBODY_IS_TOLD });
    const times = { startedAt: new Date(Date.now() - 120_000), endedAt: new Date(Date.now() - 60_000) };
    const past = {
      caseId: theCase.id,
      meetingId: null,
      startedAt: times.startedAt.toISOString(),
      endedAt: times.endedAt.toISOString(),
      unmetReason: WHY,
    };
    // What a review found a moment ago is none of what was missing before.
    if (by === "screening")
      expect((await refusal(blind.sessions.record.mutate({ id: newId(), ...past }))).message).toBe(WITHOUT);
    const written = await api.sessions.record.mutate({ id: newId(), ...past });
    expect(await refusal(offer(written.id))).toMatchObject({ code: "PRECONDITION_FAILED", message: NOBODY_IS_TOLD });
  });
});
