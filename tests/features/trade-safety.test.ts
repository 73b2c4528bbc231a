// What was agreed for somebody's safety, and what was found or said of them, holds at every meeting of their case.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { Case } from "@app/shared/cases";
import type { MeetingType } from "@app/shared/meeting-states";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import type { CompleteScreening } from "@app/shared/screenings";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, aMeetingInput, aPractice, aRoom, aStaffUser, type Api } from "../support/server/people.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { aScreening, NOT_SAFE, screened, withMeasures } from "../support/server/screened.ts";
import { at, DAY, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const WHY = "They asked for it, and came with supporters";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
/** Books and starts, and may not read screenings. */
const blind = forAllTests(() =>
  aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] }),
);
const { correct, decide, move, moveParty, standing } = stepping(practice);

const book = (input: CreateMeeting & { id: string }, api: Api = practice.api) => api.meetings.create.mutate(input);
const fresh = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";
const without = (names: string) => ({
  code: "BAD_REQUEST",
  fields: { againstMeasures: `Say why this meeting goes without: ${names}.` },
});

/** Such a case with a third person, who mediates with the others. */
async function aCaseOfThree(found: Partial<CompleteScreening>) {
  const built = await screenedCaseOf(practice, [found, {}]);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const joined = await practice.api.casework.addParty.mutate({
    ...at(await fresh(built.theCase)),
    changeId: newId(),
    party: { clientId, role: "participant", side: "" },
  });
  await decide(joined.id);
  await screened(joined, joined.parties.slice(2));
  // In it from the start: nobody was screened before they came.
  const begun = { "parties.2.status": "active", "parties.2.joinedAt": null };
  await CaseModel.updateOne({ _id: joined.id, ownerId: practice.ownerId }, { $set: begun });
  return { ...built, all: joined.parties.map(({ partyId }) => partyId) };
}

describe("separate arrivals", () => {
  test.each([
    [1, false],
    [14, false],
    [-14, false],
    [15, true],
    [-15, true],
  ])(
    "meetings.create: when the second comes %i minutes before the other, then it is kept: %s",
    async (minutesBefore, isKept) => {
      const { p2, input } = await screenedCaseOf(practice, [withMeasures("separate_arrivals"), {}]);
      const arrivals = [{ partyId: p2.partyId, minutesBefore }];
      const booked = () => book(input({ arrivals }));
      if (isKept) expect(await booked()).toMatchObject({ status: "booked", arrivals });
      else expect(await refusal(booked())).toMatchObject(without("separate arrivals"));
      expect((await book(input({ arrivals, location: { kind: "video", place: "" } }))).status).toBe("booked");
    },
  );

  test.each([
    [[0, 0, 15], false],
    [[0, 15, 15], false],
    [[0, 15, 29], false],
    [[14, 0, 30], false],
    [[0, 15, 30], true],
    [[30, 0, 15], true],
  ])("meetings.create: when three people come %j minutes before, then it is kept: %s", async (minutes, isKept) => {
    const { all, input } = await aCaseOfThree(withMeasures("separate_arrivals"));
    const arrivals = all.map((partyId, index) => ({ partyId, minutesBefore: minutes[index] ?? 0 }));
    const booked = book(input({ partyIds: all, arrivals }));
    if (isKept) expect((await booked).status).toBe("booked");
    else expect(await refusal(booked)).toMatchObject(without("separate arrivals"));
  });
});

describe("separate rooms", () => {
  const rooms = forAllTests(async () => ({
    one: (await practice.api.rooms.create.mutate(aRoom())).id,
    other: (await practice.api.rooms.create.mutate(aRoom())).id,
    third: (await practice.api.rooms.create.mutate(aRoom())).id,
  }));
  const arrangements: CreateMeeting["arrangements"] = ["separate_rooms"];
  type Whose = (p1: string, p2: string) => CreateMeeting["rooms"];

  test.each<[string, Whose, boolean]>([
    ["no room is booked", () => [], true],
    [
      "each has their own",
      (p1, p2) => [
        { roomId: rooms.one, partyIds: [p1] },
        { roomId: rooms.other, partyIds: [p2] },
      ],
      true,
    ],
    [
      "each has their own, and one is for all",
      (p1, p2) => [
        { roomId: rooms.one, partyIds: [p1] },
        { roomId: rooms.other, partyIds: [p2] },
        { roomId: rooms.third, partyIds: [] },
      ],
      true,
    ],
    ["one room is everybody’s", () => [{ roomId: rooms.one, partyIds: [] }], false],
    ["one room is for both by name", (p1, p2) => [{ roomId: rooms.one, partyIds: [p1, p2] }], false],
    ["only one of them has a room", (p1) => [{ roomId: rooms.one, partyIds: [p1] }], false],
    [
      "one has their own, and the other only everybody’s",
      (p1) => [
        { roomId: rooms.one, partyIds: [p1] },
        { roomId: rooms.other, partyIds: [] },
      ],
      false,
    ],
  ])(
    "meetings.create: when they are ticked and %s, then it is as was agreed, or asks why",
    async (_what, whose, isKept) => {
      const { p1, p2, input } = await screenedCaseOf(practice, [withMeasures("separate_rooms"), {}]);
      const planned = input({ arrangements, rooms: whose(p1.partyId, p2.partyId) });
      if (isKept) expect((await book(planned)).status).toBe("booked");
      else {
        expect(await refusal(book(planned))).toMatchObject(without("separate rooms"));
        expect((await book({ ...planned, againstMeasures: WHY })).againstMeasures).toBe(WHY);
      }
    },
  );

  test("meetings.create: when rooms of their own are booked and nothing is ticked, then it asks why", async () => {
    const { p1, p2, input } = await screenedCaseOf(practice, [withMeasures("separate_rooms"), {}]);
    const own = [
      { roomId: rooms.one, partyIds: [p1.partyId] },
      { roomId: rooms.other, partyIds: [p2.partyId] },
    ];
    expect(await refusal(book(input({ rooms: own })))).toMatchObject(without("separate rooms"));
  });
});

describe("parties who must not meet", () => {
  const APART = ["shuttle", "separate_arrivals"];
  async function aPartedCase() {
    const built = await screenedCaseOf(practice, [{}, {}]);
    await CaseModel.updateOne(
      { _id: built.theCase.id, ownerId: practice.ownerId },
      { $set: { "flags.mustNotMeet": true } },
    );
    return built;
  }

  test("meetings.create: when a mediation would bring them together, then it asks why, and tells nothing to who may not read screenings", async () => {
    const { p2, input } = await aPartedCase();
    const arrivals = [{ partyId: p2.partyId, minutesBefore: 15 }];
    expect(await refusal(book(input()))).toMatchObject(without("shuttle, separate arrivals"));
    expect(await refusal(book(input({ partyIds: [] })))).toMatchObject(without("shuttle, separate arrivals"));
    for (const type of ["call", "pre_meeting", "other"] as const)
      expect(await refusal(book(input({ type })))).toMatchObject(without("shuttle, separate arrivals"));
    expect(await refusal(book(input({ type: "shuttle" })))).toMatchObject(without("separate arrivals"));
    expect(await refusal(book(input({ arrivals })))).toMatchObject(without("shuttle"));
    expect(await refusal(book(input(), blind.api))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: SCREENING_SAYS_NOT_YET,
    });
    expect((await book(input({ type: "shuttle", arrivals }), blind.api)).status).toBe("booked");
    expect((await book(input({ againstMeasures: WHY }))).againstMeasures).toBe(WHY);
  });

  test("meetings.create: when one of them comes alone, then nothing is asked", async () => {
    const { p1, input } = await aPartedCase();
    for (const type of ["miam", "mediation", "call"] as const)
      expect((await book(input({ type, partyIds: [p1.partyId] }), blind.api)).status).toBe("booked");
  });

  test("sessions.start: when it is held in person, then it asks why, and keeps it", async () => {
    const { theCase, start } = await aPartedCase();
    expect((await refusal(start(practice.api))).fields).toEqual({
      unmetReason: expect.stringContaining("goes without: shuttle, separate arrivals."),
    });
    expect(await refusal(start(blind.api))).toMatchObject({ message: SCREENING_SAYS_NOT_YET });
    const wish = { id: newId(), caseId: theCase.id, meetingId: null, unmetReason: WHY };
    expect((await practice.api.sessions.start.mutate(wish)).unmet).toMatchObject([{ reason: WHY }]);
  });

  test("screenings.measures: of each party it tells that they are kept apart, beside what their screening asks for", async () => {
    const { theCase, p1, p2 } = await aPartedCase();
    const measures = async () => (await practice.api.screenings.measures.query({ caseId: theCase.id })).items;
    const ofBoth = [p1, p2].map(({ partyId }) => ({ partyId, measures: APART }));
    expect(await measures()).toEqual(ofBoth);
    await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, withMeasures("support_person")));
    expect(await measures()).toEqual([ofBoth[0], { partyId: p2.partyId, measures: [...APART, "support_person"] }]);
  });
});

let hours = 0;
const inCase = ({ id }: Pick<Case, "id">, partyIds: string[], overrides: Partial<CreateMeeting> = {}) =>
  aMeetingInput(practice.ownerId, {
    caseId: id,
    partyIds,
    startsAt: new Date(Date.UTC(2031, 8, 2) + (hours += 2) * HOUR_MS).toISOString(),
    ...overrides,
  });

const tasksOf = async ({ id }: Pick<Case, "id">) =>
  (await practice.api.tasks.list.query({ caseId: id })).items.map(({ title }) => title);
const noticesTo = async (partyId: string) =>
  (await OutboxModel.find({ ownerId: practice.ownerId, partyId }).lean()).map(({ purpose }) => purpose);

describe("somebody who was not asked yet", () => {
  const agree = async (theCase: Case, isAgreed: boolean) =>
    practice.api.casework.recordContactAgreement.mutate({
      ...at(await fresh(theCase)),
      partyId: partyOf(theCase, 0),
      isAgreed,
      isNamed: false,
      on: DAY,
    });
  const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("P2 is not to be contacted") };

  test.each([
    ["was not asked", null],
    ["refused", false],
  ])(
    "meetings.create: when whoever came first %s, then nobody is invited to it, and it is booked without",
    async (_what, said) => {
      const { theCase, p1, p2 } = await aCase(practice, {}, { isAgreed: false });
      if (said !== null) await agree(theCase, said);
      const isInvitationSent = true;
      for (const type of ["miam", "call", "pre_meeting", "other", "mediation"] as const)
        expect(await refusal(book(inCase(theCase, [p2.partyId], { type, isInvitationSent })))).toMatchObject(told);
      for (const partyIds of [[p1.partyId, p2.partyId], []])
        expect(await refusal(book(inCase(theCase, partyIds, { isInvitationSent })))).toMatchObject(told);
      expect((await book(inCase(theCase, [p1.partyId, p2.partyId]))).status).toBe("booked");
      expect((await book(inCase(theCase, [p2.partyId], { type: "miam" }))).status).toBe("booked");
      expect((await book(inCase(theCase, [p1.partyId], { type: "miam", isInvitationSent }))).status).toBe("booked");
      expect((await tasksOf(theCase)).filter((title) => title.includes("P2"))).toEqual([]);
      expect(await noticesTo(p2.partyId)).toEqual([]);
    },
  );

  test("meetings.update: when they are added to a meeting to which whoever came first was invited, then it is refused", async () => {
    const { theCase, p1, p2 } = await aCase(practice, {}, { isAgreed: false });
    const input = inCase(theCase, [p1.partyId], { type: "call", isInvitationSent: true });
    const { id, version } = await book(input);
    const { type, title, location, mediatorIds, arrivals, note } = input;
    const partyIds = [p1.partyId, p2.partyId];
    const details = { id, version, type, title, location, mediatorIds, arrivals, note, partyIds };
    expect(await refusal(practice.api.meetings.update.mutate(details))).toMatchObject(told);
    await agree(theCase, true);
    await practice.api.meetings.update.mutate(details);
    expect(await noticesTo(p2.partyId)).toEqual(["invitation"]);
  });

  test("meetings.create: when whoever came first agreed, then it is booked with invitations", async () => {
    const { theCase, p1, p2 } = await aCase(practice, {}, { isAgreed: false });
    await agree(theCase, true);
    await book(inCase(theCase, [p1.partyId, p2.partyId], { isInvitationSent: true }));
    expect(await noticesTo(p2.partyId)).toEqual(["invitation"]);
  });
});

describe("somebody who is out of the case", () => {
  const ALONE: readonly MeetingType[] = ["miam", "call", "pre_meeting", "other"];
  const gone = async (why: string): Promise<Case> => {
    const theCase = await standing("assessing", ["suitable", "suitable"]);
    if (why === "withdrew") return moveParty(theCase, 1, "withdrawn");
    await practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 1), NOT_SAFE));
    return fresh(theCase);
  };

  test.each(["withdrew", "was found not safe"])(
    "meetings.create: when somebody %s, then they are seen by themselves and told of it, and come to nothing else",
    async (why) => {
      const theCase = await gone(why);
      const [p1, p2] = [partyOf(theCase, 0), partyOf(theCase, 1)];
      for (const type of ALONE) expect((await book(inCase(theCase, [p2], { type }))).status).toBe("booked");
      const refused = [
        inCase(theCase, [p2]),
        inCase(theCase, [p2], { type: "shuttle" }),
        ...(["mediation", "call", "pre_meeting", "other"] as const).map((type) => inCase(theCase, [p1, p2], { type })),
      ];
      for (const input of refused)
        expect((await refusal(book(input))).fields["partyIds"]).toContain("takes no part in this case now");
      expect(await noticesTo(p2)).toEqual([]);
      await book(inCase(theCase, [p2], { type: "call", isInvitationSent: true }));
      expect(await noticesTo(p2)).toEqual(["invitation"]);
    },
  );

  test("casework.moveParty: when somebody who is not suitable comes back or withdraws, then it says why", async () => {
    const theCase = await moveParty(await standing("assessing", ["suitable", "suitable"]), 1, "not_suitable");
    const to = (status: "responded" | "withdrawn", reason: string) =>
      practice.api.casework.moveParty.mutate({
        ...at(theCase),
        partyId: partyOf(theCase, 1),
        to: status,
        on: DAY,
        reason,
        confidences: null,
      });
    for (const status of ["responded", "withdrawn"] as const)
      expect((await refusal(to(status, ""))).fields).toEqual({ reason: "Say why." });
    expect((await to("responded", WHY)).parties[1]).toMatchObject({ status: "responded" });
  });

  test("casework.moveParty: when somebody was found not suitable after their screening, then only another screening makes them suitable", async () => {
    let theCase = await standing("assessing", ["suitable", "suitable"]);
    for (const to of ["not_suitable", "responded", "intake_done", "miam_booked", "miam_attended"] as const)
      theCase = await moveParty(theCase, 1, to);
    expect(theCase.parties[1]).toMatchObject({ status: "miam_attended" });
    for (const to of ["suitable", "suitable_with_measures"] as const)
      expect(await refusal(moveParty(theCase, 1, to))).toMatchObject({
        code: "PRECONDITION_FAILED",
        message: "P2 was found not suitable after they were last screened. Screen them again first.",
      });
    await practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 1)));
    expect((await fresh(theCase)).parties[1]).toMatchObject({ status: "suitable" });
  });

  test("casework.moveParty: when nobody found them not suitable, then whoever attends follows the screening of before", async () => {
    const theCase = await standing("assessing", ["suitable", "miam_booked"]);
    expect((await moveParty(theCase, 1, "miam_attended")).parties[1]).toMatchObject({ status: "suitable" });
  });
});

describe("what came of a meeting", () => {
  test("meetings.setAttendance: when it has not begun, then nobody is marked", async () => {
    const { theCase, p1 } = await aCase(practice);
    const mark = ({ id }: Meeting) =>
      practice.api.meetings.setAttendance.mutate({ id, partyId: p1.partyId, attendance: "present" });
    const coming = await book(inCase(theCase, [p1.partyId], { type: "miam" }));
    expect(await refusal(mark(coming))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("has not begun yet"),
    });
    expect((await practice.api.meetings.get.query({ id: coming.id })).attendance).toEqual([]);
    const startsAt = new Date(Date.now() - HOUR_MS).toISOString();
    const begun = await book(inCase(theCase, [p1.partyId], { type: "miam", startsAt, allowsOverlap: true }));
    expect((await mark(begun)).attendance).toEqual([{ partyId: p1.partyId, attendance: "present" }]);
  });
});

describe("a case that ends early", () => {
  test.each([
    ["not_proceeding", "assessing", "suitable"],
    ["terminated", "in_mediation", "active"],
  ] as const)(
    "casework.move: to %s, then each meeting that is still to come is to be cancelled",
    async (to, from, stood) => {
      const theCase = await standing(from, [stood, stood]);
      const both = theCase.parties.map(({ partyId }) => partyId);
      const first = await book(inCase(theCase, both, { startsAt: "2032-03-04T09:00:00.000Z", allowsOverlap: true }));
      await book(inCase(theCase, both.slice(0, 1), { startsAt: "2032-05-06T09:00:00.000Z", allowsOverlap: true }));
      await book(
        inCase(theCase, both, { startsAt: new Date(Date.now() - HOUR_MS).toISOString(), allowsOverlap: true }),
      );
      const { id, version } = await book(inCase(theCase, both));
      const off = { changeId: newId(), id, version, reason: "Ill", isLate: false, isWholeSeries: false };
      await practice.api.meetings.cancel.mutate(off);
      const asked = async () =>
        (await tasksOf(theCase)).filter((title) => title.startsWith("The case has ended")).toSorted();
      expect(await asked()).toEqual([]);
      await move(theCase, to);
      expect(await asked()).toEqual([
        expect.stringMatching(/^The case has ended: cancel the meeting of .*4 March 2032/),
        expect.stringMatching(/^The case has ended: cancel the meeting of .*6 May 2032/),
      ]);
      await correct(await fresh(theCase));
      expect(await asked()).toEqual([]);
      await move(await fresh(theCase), to);
      expect(await asked()).toHaveLength(2);
      await practice.api.meetings.cancel.mutate({ ...off, changeId: newId(), id: first.id, version: first.version });
      expect(await asked()).toEqual([expect.stringContaining("6 May 2032")]);
    },
  );

  test("casework.correct: when somebody had not left, then nobody looks at a meeting because they did", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    await book(
      inCase(
        theCase,
        theCase.parties.map(({ partyId }) => partyId),
      ),
    );
    const asked = async () => (await tasksOf(theCase)).filter((title) => title.includes("left the case: look at"));
    const leave = async () => {
      const whose = { ...at(await fresh(theCase)), partyId: partyOf(theCase, 1), on: DAY, reason: "They said so" };
      await practice.api.casework.moveParty.mutate({ ...whose, to: "withdrawn", isOwnDecision: true });
    };
    await leave();
    expect(await asked()).toEqual([expect.stringContaining("P2 left the case")]);
    await correct(await fresh(theCase), partyOf(theCase, 1));
    expect(await asked()).toEqual([]);
    await leave();
    expect(await asked()).toHaveLength(1);
  });

  test("casework.move: when it only pauses, then its meetings stand", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    await book(
      inCase(
        theCase,
        theCase.parties.map(({ partyId }) => partyId),
      ),
    );
    await move(theCase, "paused");
    expect(await tasksOf(theCase)).toEqual([]);
  });
});
