import { newId } from "@app/server/core/ids";
import { dayIn } from "@app/shared/days";
import type { RecordAssessment } from "@app/shared/assessments";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import {
  anAuthorisedPractice,
  aCertificate,
  aMiamElsewhere,
  anUnscreenedMiam,
  authorise,
  claimAccreditation,
  only,
} from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { mayContact } from "../support/server/contactable.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

async function aParty(overrides: Parameters<typeof aCase>[1] = {}) {
  const built = await aCase(practice, { ...ledBy(practice.ownerId), ...overrides }, { isScreened: false });
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const party = async () => (await practice.api.cases.get.query({ id: whose.caseId })).parties[0];
  const records = async () => (await practice.api.assessments.list.query({ caseId: whose.caseId })).items;
  return { ...built, whose, party, records };
}

const detailsOf = ({ id: _id, caseId: _case, partyId: _party, ...details }: ReturnType<typeof anUnscreenedMiam>) =>
  details;

test("assessments.record: a MIAM, when it is recorded, is kept with its details and moves the party, with its line", async () => {
  const { whose, party, first } = await aParty();
  const recorded = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { signposting: "A helpline" }));
  expect(recorded).toMatchObject({
    attendedOn: "2026-01-05",
    minutes: 60,
    mediatorId: practice.ownerId,
    company: "alone",
    signposting: "A helpline",
    isComplete: true,
    isCertified: false,
    origin: "recorded",
  });
  expect(recorded.mediatorName).not.toBe("");
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: "2026-01-05" });
  const { items } = await practice.api.timeline.list.query({ clientId: first.id });
  expect(items.map(({ text }) => text)).toEqual(expect.arrayContaining(["P1: MIAM attended", "MIAM of P1 recorded"]));
});

test("assessments.record: what was said there, when it is stored, is sealed", async () => {
  const { whose } = await aParty();
  const { id } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { signposting: "Canaryhelp" }));
  const stored = await mongoose.connection.collection<{ _id: string }>("assessments").findOne({ _id: id });
  expect(JSON.stringify(stored)).not.toContain("Canaryhelp");
  expect(JSON.stringify(stored)).toContain("2026-01-05");
});

test("assessments.record: one of a party who withdrew, when it is recorded afterwards, is kept and leaves them withdrawn", async () => {
  const { whose, theCase, party } = await aParty();
  const step = { id: theCase.id, version: theCase.version, partyId: whose.partyId };
  await practice.api.casework.moveParty.mutate({ ...step, to: "withdrawn", on: "2026-01-06", reason: "No wish" });
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
  expect(await party()).toMatchObject({ status: "withdrawn", miamOn: "2026-01-05" });
});

test.each([
  ["2026-01-04", "refused", "an earlier one says nothing of what they want since"],
  ["2026-01-05", "miam_attended", "one of that day leads on"],
  ["2026-01-06", "miam_attended", "a later one leads on"],
] as const)(
  "assessments.record: of somebody who refused on 5 January, a MIAM of %s leaves them at %s: %s",
  async (attendedOn, status, _why) => {
    const { theCase, p2, whose } = await aParty();
    const { id: caseId } = theCase;
    await mayContact(theCase);
    await screened(theCase, theCase.parties.slice(0, 1));
    const day = { partyId: p2.partyId, on: "2026-01-05" };
    const letter = { ...day, channel: "post" as const, wording: "A letter", changeId: newId() };
    const { version } = await practice.api.casework.inviteParty.mutate({
      id: caseId,
      version: theCase.version,
      ...letter,
    });
    const refusal = { ...day, to: "refused" as const, reason: "Said no", isOwnDecision: true };
    await practice.api.casework.moveParty.mutate({ id: caseId, version, ...refusal });
    const record = anUnscreenedMiam({ ...whose, partyId: p2.partyId }, { attendedOn });
    const { id, version: first } = await practice.api.assessments.record.mutate(record);
    const other = async () => (await practice.api.cases.get.query({ id: theCase.id })).parties[1];
    expect(await other()).toMatchObject({ status, miamOn: attendedOn });
    await practice.api.assessments.strike.mutate({ id, version: first, reason: "It was somebody else" });
    expect(await other()).toMatchObject({ status: "refused", miamOn: "" });
  },
);

test("assessments: where the day of a refusal was not kept, the day counts on which it was noted", async () => {
  const { theCase, p2, whose } = await aParty();
  await mongoose.connection
    .collection<{ _id: string }>("cases")
    .updateOne(
      { _id: theCase.id },
      { $set: { "parties.1.status": "refused", "parties.1.statusSince": new Date("2026-01-05T12:00:00Z") } },
    );
  const { record } = practice.api.assessments;
  const other = async () => (await practice.api.cases.get.query({ id: theCase.id })).parties[1]?.status;
  await record.mutate(anUnscreenedMiam({ ...whose, partyId: p2.partyId }, { attendedOn: "2026-01-04" }));
  expect(await other()).toBe("refused");
  await record.mutate(anUnscreenedMiam({ ...whose, partyId: p2.partyId }, { attendedOn: "2026-01-05" }));
  expect(await other()).toBe("miam_attended");
});

test("assessments: somebody who is not suitable stays so, whether their MIAM is recorded or struck", async () => {
  const { theCase, party, whose } = await aParty();
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
  await practice.api.screenings.complete.mutate(aScreening(theCase, whose.partyId, NOT_SAFE));
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: "2026-01-07" }));
  expect(await party()).toMatchObject({ status: "not_suitable", miamOn: "2026-01-07" });
  const { items } = await practice.api.assessments.list.query({ caseId: whose.caseId });
  for (const record of items)
    await practice.api.assessments.strike.mutate({ id: record.id, version: record.version, reason: "Wrong case" });
  expect(await party()).toMatchObject({ status: "not_suitable", miamOn: "" });
});

const tomorrow = new Date(Date.now() + 26 * HOUR_MS).toISOString().slice(0, 10);
const WRONG: [string, string, Partial<RecordAssessment>][] = [
  ["a day in the future", "attendedOn", { attendedOn: tomorrow }],
  ["by phone without a reason", "phoneReason", { place: "phone" as const }],
  ["by phone with no word as the reason", "phoneReason", { place: "phone" as const, phoneReason: "..." }],
  ["44 minutes without a reason", "shortReason", { minutes: 44 }],
  [
    "14 minutes with a reason that nobody confirmed",
    "isBriefConfirmed",
    { minutes: 14, shortReason: "They had to leave" },
  ],
  ["14 minutes without a reason", "shortReason", { minutes: 14, isBriefConfirmed: true }],
  ["in person, nowhere", "where", { place: "in_person" }],
  ["no minutes", "minutes", { minutes: 0 }],
  ["no form that may suit, nor none", "forms", { forms: [] }],
  ["none of the forms and one of them", "forms", { forms: ["none", "mediation"] }],
  ["no reason for the forms", "formsReason", { formsReason: " " }],
  ["nobody who conducted it", "mediatorId", { mediatorId: "" }],
  ["a stranger who conducted it", "mediatorId", { mediatorId: "somebody-else" }],
];
test.each(WRONG)(
  "assessments.record: %s is refused beside its field, and nothing is kept",
  async (_what, field, wrong) => {
    const { whose, records } = await aParty();
    const answer = await refusal(practice.api.assessments.record.mutate(anUnscreenedMiam(whose, wrong)));
    expect(Object.keys(answer.fields)).toEqual([field]);
    expect(answer.fields[field]).not.toContain("Invalid");
    expect(await records()).toEqual([]);
  },
);

test("assessments.record: 44 minutes with a reason, and the 45th without one, are taken", async () => {
  const { whose, records } = await aParty();
  const { record } = practice.api.assessments;
  await record.mutate(anUnscreenedMiam(whose, { minutes: 44, shortReason: "They had to leave" }));
  await record.mutate(anUnscreenedMiam(whose, { minutes: 45, attendedOn: "2026-01-04" }));
  expect((await records()).map(({ minutes }) => minutes)).toEqual([44, 45]);
});

test("assessments.record: 14 minutes that are confirmed, and 15 that nobody confirmed, are taken with their reason", async () => {
  const { whose, records } = await aParty();
  const { record } = practice.api.assessments;
  const shortReason = "They had met us before";
  await record.mutate(anUnscreenedMiam(whose, { minutes: 14, shortReason, isBriefConfirmed: true }));
  await record.mutate(anUnscreenedMiam(whose, { minutes: 15, shortReason, attendedOn: "2026-01-04" }));
  expect(await records()).toMatchObject([
    { minutes: 14, isBriefConfirmed: true },
    { minutes: 15, isBriefConfirmed: false },
  ]);
});

test("assessments: an organisation attends no MIAM, whether it is typed, held elsewhere, noted as a step or of the calendar", async () => {
  const { whose, theCase, first, party, records } = await aParty();
  const step = async (to: "responded" | "intake_done" | "miam_booked" | "miam_attended") => {
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const move = { id: theCase.id, version, partyId: whose.partyId, to, on: "2026-01-05", reason: "" };
    return practice.api.casework.moveParty.mutate(move);
  };
  for (const to of ["responded", "intake_done", "miam_booked"] as const) await step(to);
  await mongoose.connection
    .collection<{ _id: string }>("clients")
    .updateOne({ _id: first.id }, { $set: { kind: "organisation", organisation: "Brightwater Ltd" } });
  const { record, recordElsewhere } = practice.api.assessments;
  const { caseId, partyId } = whose;
  for (const attempt of [
    () => record.mutate(anUnscreenedMiam(whose)),
    () => recordElsewhere.mutate(aMiamElsewhere({ caseId, partyId })),
    () => step("miam_attended"),
  ])
    expect((await refusal(attempt())).message).toContain("An organisation attends no meeting itself");
  const { mark, set } = await aMiam({ whose });
  await mark("present");
  await set("completed");
  expect(await records()).toEqual([]);
  expect(await party()).toMatchObject({ status: "miam_booked", miamOn: "" });
});

test("assessments.record: a mediator whose number the owner has not confirmed conducts none", async () => {
  const own = await aPractice(app);
  const { theCase, p1 } = await aCase(own);
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: await claimAccreditation(own) };
  expect((await refusal(own.api.assessments.record.mutate(anUnscreenedMiam(whose)))).fields).toMatchObject({
    mediatorId: expect.stringContaining("confirmed"),
  });
});

test("assessments.record: in a case of another kind it is refused", async () => {
  const { whose } = await aParty({ domain: "workplace" });
  expect(await refusal(practice.api.assessments.record.mutate(anUnscreenedMiam(whose)))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
});

test("assessments.record: two of one day, when they are typed at once, are one", async () => {
  const { whose, records } = await aParty();
  const twice = await Promise.allSettled(
    [1, 2].map(() => practice.api.assessments.record.mutate(anUnscreenedMiam(whose))),
  );
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await records()).toHaveLength(1);
});

test("assessments.correct: a complete record, when it changes, asks why, and keeps who, when and why", async () => {
  const { whose, party } = await aParty();
  const { id, version } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
  const input = { ...detailsOf(anUnscreenedMiam(whose, { attendedOn: "2026-01-07" })), id, version };
  const { correct } = practice.api.assessments;
  expect((await refusal(correct.mutate({ ...input, reason: "" }))).fields).toHaveProperty("reason");
  const corrected = await correct.mutate({ ...input, reason: "Wrong day" });
  expect(corrected).toMatchObject({ attendedOn: "2026-01-07", corrections: [{ reason: "Wrong day" }] });
  expect((await party())?.miamOn).toBe("2026-01-07");
  expect((await refusal(correct.mutate({ ...input, reason: "Late" }))).code).toBe("CONFLICT");
});

test("assessments.correct: while a certificate stands on it, nothing of it changes; once that is void, it does", async () => {
  const { whose, theCase } = await aParty();
  await screened(theCase);
  const certificate = await aCertificate(practice, whose);
  const list = async () => only((await practice.api.assessments.list.query({ caseId: whose.caseId })).items);
  const attempt = async (what: "correct" | "strike") => {
    const { id, version } = await list();
    const reason = "Wrong length";
    if (what === "strike") return practice.api.assessments.strike.mutate({ id, version, reason });
    const details = detailsOf(anUnscreenedMiam(whose, { minutes: 70 }));
    return practice.api.assessments.correct.mutate({ ...details, id, version, reason });
  };
  expect(await list()).toMatchObject({ isCertified: true });
  for (const what of ["correct", "strike"] as const)
    expect((await refusal(attempt(what))).message).toContain("A certificate stands on this record");
  await practice.api.certificates.void.mutate({ id: certificate.id, reason: "Wrong length" });
  expect(await attempt("correct")).toMatchObject({ minutes: 70, isCertified: false });
});

test("assessments.strike: a record made in error stays to be read, counts for nothing, and its day is free again", async () => {
  const { whose, party, records } = await aParty();
  const { id, version } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
  await practice.api.assessments.strike.mutate({ id, version, reason: "They did not come" });
  expect(await party()).toMatchObject({ status: "to_invite", miamOn: "" });
  const issue = { id: newId(), assessmentId: id, statements: [], replaceReason: "" };
  expect((await refusal(practice.api.certificates.issue.mutate(issue))).code).toBe("PRECONDITION_FAILED");
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
  expect((await records()).map(({ status }) => status).toSorted()).toEqual(["held", "struck"]);
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: "2026-01-05" });
});

async function aMiam({
  whose,
  startsAt = ago(30),
  mediators = [practice.ownerId],
}: {
  whose: { caseId: string; partyId: string };
  startsAt?: string;
  mediators?: string[];
}) {
  const meeting = aMeetingInput(practice.ownerId, {
    type: "miam",
    caseId: whose.caseId,
    partyIds: [whose.partyId],
    mediatorIds: mediators,
    startsAt,
    allowsOverlap: true,
  });
  const { id } = await practice.api.meetings.create.mutate(meeting);
  const version = async () => (await practice.api.meetings.get.query({ id })).version;
  const mark = (attendance: "present" | "late" | "no_show") =>
    practice.api.meetings.setAttendance.mutate({ id, partyId: whose.partyId, attendance });
  const set = async (to: "completed" | "no_show") =>
    practice.api.meetings.setStatus.mutate({ id, version: await version(), to });
  return { id, mark, set, startsAt };
}

test.each([["marked first"], ["held first"]])(
  "meetings: a MIAM of the calendar that took place, %s, then one record is made of what the calendar knows, and asks for the rest",
  async (order) => {
    const { whose, party, records } = await aParty();
    const { id, mark, set, startsAt } = await aMiam({ whose });
    if (order === "marked first") {
      await mark("present");
      expect(await records()).toEqual([]);
    }
    await set("completed");
    await mark("late");
    await mark("present");
    expect(await records()).toMatchObject([
      {
        origin: "meeting",
        meetingId: id,
        attendedOn: dayIn("Europe/London", new Date(startsAt)),
        place: "in_person",
        where: "Room 1",
        mediatorId: practice.ownerId,
        plannedMinutes: 60,
        minutes: null,
        company: "",
        isComplete: false,
      },
    ]);
    expect(await party()).toMatchObject({ status: "miam_attended" });
  },
);

test("meetings: the record of a meeting, while details are missing, carries no certificate; once completed without a reason, it does", async () => {
  const { theCase, whose, records } = await aParty();
  await screened(theCase);
  const { mark, set } = await aMiam({ whose });
  await mark("present");
  await set("completed");
  const { id, version, attendedOn } = only(await records());
  const issue = () =>
    practice.api.certificates.issue.mutate({
      id: newId(),
      assessmentId: id,
      statements: [],
      replaceReason: "",
    });
  expect((await refusal(issue())).message).toContain("not complete");
  const details = detailsOf(anUnscreenedMiam(whose, { attendedOn, minutes: 50, riskAssessment: "done" }));
  await practice.api.assessments.correct.mutate({ ...details, id, version, reason: "" });
  expect(await issue()).toMatchObject({ attendedOn });
});

test("meetings: one who was marked as not present has missed it, and marked right afterwards has attended", async () => {
  const { whose, party, records } = await aParty();
  const { mark, set } = await aMiam({ whose });
  await mark("no_show");
  await set("completed");
  expect(await party()).toMatchObject({ status: "miam_missed" });
  expect(await records()).toEqual([]);
  await mark("present");
  expect(await party()).toMatchObject({ status: "miam_attended" });
  const taken = await refusal(mark("no_show"));
  expect(taken.message).toContain("strike the record");
});

test("meetings: a MIAM to which nobody came is missed; one that has not begun is neither attended nor missed", async () => {
  const missed = await aParty();
  await (await aMiam({ whose: missed.whose })).set("no_show");
  expect(await missed.party()).toMatchObject({ status: "miam_missed" });
  const coming = await aParty();
  const { mark, set } = await aMiam({ whose: coming.whose, startsAt: "2031-03-04T09:00:00.000Z" });
  expect((await refusal(mark("present"))).code).toBe("PRECONDITION_FAILED");
  expect((await refusal(set("completed"))).code).toBe("PRECONDITION_FAILED");
  expect(await coming.records()).toEqual([]);
});

test("meetings: of two authorised mediators nobody is taken as the one who conducted it; of one who is not, neither", async () => {
  const second = await authorise(practice, await aStaffUser(app, practice, { role: 2 }), "5678B");
  const unconfirmed = await claimAccreditation(await aStaffUser(app, practice, { role: 2 }), "9999C");
  for (const mediators of [[practice.ownerId, second], [unconfirmed]]) {
    const { whose, records } = await aParty();
    const { mark, set } = await aMiam({ whose, mediators });
    await mark("present");
    await set("completed");
    expect(await records()).toMatchObject([{ mediatorId: "", mediatorName: "" }]);
  }
});

test("casework.moveParty: MIAM attended, when it is noted as a step, makes a record of that day and of nothing else", async () => {
  const { whose, theCase, records } = await aParty();
  let { version } = theCase;
  for (const to of ["responded", "intake_done", "miam_booked", "miam_attended"] as const) {
    const step = { id: theCase.id, version, partyId: whose.partyId, to, on: "2026-01-05", reason: "" };
    ({ version } = await practice.api.casework.moveParty.mutate(step));
  }
  expect(await records()).toMatchObject([
    { origin: "step", attendedOn: "2026-01-05", place: "", minutes: null, mediatorName: "", isComplete: false },
  ]);
});

const attend = async ({ theCase, whose }: Pick<Awaited<ReturnType<typeof aParty>>, "theCase" | "whose">) => {
  let { version } = theCase;
  for (const to of ["responded", "intake_done", "miam_booked", "miam_attended"] as const) {
    const step = { id: theCase.id, version, partyId: whose.partyId, to, on: "2026-01-05", reason: "" };
    ({ version } = await practice.api.casework.moveParty.mutate(step));
  }
};
const takeBack = async ({ caseId: id, partyId }: { caseId: string; partyId: string }) => {
  const { version } = await practice.api.cases.get.query({ id });
  return practice.api.casework.correct.mutate({ id, version, partyId, reason: "She did not come" });
};

test.each([
  ["as a step", false],
  ["with its details", true],
])(
  "casework.correct: a MIAM that is recorded %s, when the step is taken back, is struck with it for the same reason",
  async (_how, isComplete) => {
    const built = await aParty();
    const { whose, records, party, first } = built;
    await attend(built);
    const { id, version } = only(await records());
    const details = { ...detailsOf(anUnscreenedMiam(whose)), id, version, reason: "" };
    if (isComplete) await practice.api.assessments.correct.mutate(details);
    await takeBack(whose);
    expect(await party()).toMatchObject({ status: "miam_booked", miamOn: "" });
    expect(await records()).toMatchObject([{ status: "struck", corrections: [{ reason: "She did not come" }] }]);
    const issue = { id: newId(), assessmentId: id, statements: [], replaceReason: "" };
    expect((await refusal(practice.api.certificates.issue.mutate(issue))).message).toContain("struck");
    const { items } = await practice.api.timeline.list.query({ clientId: first.id });
    expect(items.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(
        /^Record of a first meeting of P1 of .+ struck as recorded in error, because: She did not come$/,
      ),
    );
  },
);

test("casework.correct: where two MIAMs are recorded, the step is not taken back before one is struck, and the last strike takes it", async () => {
  const built = await aParty();
  const { whose, records, party } = built;
  await attend(built);
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: "2026-01-09" }));
  expect((await refusal(takeBack(whose))).message).toContain("More than one first meeting of P1 is recorded");
  for (const { id, version } of await records())
    await practice.api.assessments.strike.mutate({ id, version, reason: "She did not come" });
  expect(await party()).toMatchObject({ status: "miam_booked", miamOn: "" });
});

test("casework.correct: somebody who came back after their MIAM, when that is taken back, attended it all the same", async () => {
  const built = await aParty();
  const { whose, theCase, records, party } = built;
  await attend(built);
  for (const to of ["withdrawn", "responded", "miam_attended"] as const) {
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const step = { id: theCase.id, version, partyId: whose.partyId, to, on: "2026-02-05", reason: "They rang" };
    await practice.api.casework.moveParty.mutate(step);
  }
  await takeBack(whose);
  expect(await party()).toMatchObject({ status: "responded", miamOn: "2026-01-05" });
  expect(await records()).toMatchObject([{ status: "held" }]);
});

test("casework.correct: a second MIAM that led somebody back, when its step is taken back, leaves the first", async () => {
  const built = await aParty();
  const { whose, theCase, records, party } = built;
  await attend(built);
  for (const to of ["withdrawn", "responded"] as const) {
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const step = { id: theCase.id, version, partyId: whose.partyId, to, on: "2026-02-05", reason: "They rang" };
    await practice.api.casework.moveParty.mutate(step);
  }
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: "2026-02-09" }));
  await takeBack(whose);
  expect(await party()).toMatchObject({ status: "responded", miamOn: "2026-01-05" });
  expect((await records()).map(({ attendedOn, status }) => [attendedOn, status])).toEqual([
    ["2026-02-09", "struck"],
    ["2026-01-05", "held"],
  ]);
});

test("partyView.preview: of a MIAM its own party sees that they attended and nothing that was said, the other nothing", async () => {
  const { whose, theCase, p2 } = await aParty();
  const said = { signposting: "Canarysaid", formsReason: "Canarywhy", place: "in_person" as const, where: "Room 7" };
  const { id } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, said));
  const preview = (partyId: string) => practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
  const own = await preview(whose.partyId);
  expect(own.items.find((item) => item.id === id)).toMatchObject({
    kind: "assessment",
    title: "MIAM attended on 5 January 2026",
    detail: expect.stringContaining("Room 7 · 60 minutes · with"),
  });
  expect(JSON.stringify(own)).not.toContain("Canary");
  expect(JSON.stringify(await preview(p2.partyId))).not.toMatch(/MIAM|Room 7/);
});
