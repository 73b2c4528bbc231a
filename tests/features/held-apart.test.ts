// Shuttle mediation that is held with each side at another time, as whoever must not meet has it.
import { newId } from "@app/server/core/ids";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { PartyStatus } from "@app/shared/case-states";
import type { MeetingType } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { apart, type Built } from "../support/server/apart.ts";
import { AGREED } from "../support/server/ending.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aCase, aClient, aMeetingInput, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { at } from "../support/server/stepping.ts";
import { signedBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const DAY_MS = 86_400_000;
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

const CALLED_OFF = { isLate: false, isWholeSeries: false };
const { book, start, hold, mediated, choicesOf } = apart(practice);
const conclude = async ({ theCase }: Built) =>
  practice.api.casework.move.mutate({
    ...at(await practice.api.cases.get.query({ id: theCase.id })),
    to: "concluded",
    reason: "",
    outcome: AGREED,
  });
const issue = ({ theCase: { id: caseId } }: Built, { partyId }: { partyId: string }) =>
  practice.api.certificates.issueMediation.mutate({ id: newId(), caseId, partyId, replaceReason: "" });
const inWords = (day: string) => new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(new Date(day));

test("when each side came to its own, then it is mediation of the two: the case ends by agreement, and both attended it", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  await hold(built, p1, "continues");
  expect((await refusal(conclude(built))).fields).toHaveProperty("code");
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
  const { number } = await hold(built, p2, "agreed_all");
  for (const party of [built.p1, built.p2])
    expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY, blockers: [] });
  expect(await practice.api.casework.steps.query({ id: built.theCase.id })).toMatchObject({
    hasSession: true,
    lastSession: { number, code: "agreed_all" },
  });
  expect(await conclude(built)).toMatchObject({ status: "concluded", outcome: { code: "agreed_all" } });
});

/** Mediates with those who come, where all of these were asked to, to the end and to the lock. */
async function holdFor(built: Built, came: string[], { type, asked }: { type: MeetingType; asked?: string[] }) {
  const { sessions } = practice.api;
  const partyIds = asked ?? came;
  const { id, number } = await start(built, partyIds, type);
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    const state = came.includes(partyId) ? ("present" as const) : ("no_show" as const);
    await sessions.setAttendance.mutate({ ...change(), partyId, state });
    if (state === "present") await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await sessions.update.mutate({ ...change(), outcome: { code: "broken_off", text: "" } });
  await sessions.move.mutate({ ...change(), to: "ended" });
  await sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed" });
  return { number };
}

/** As if this session had been held so many days ago. */
const heldDaysAgo = (number: number, { theCase }: Built, days: number) =>
  mongoose.connection
    .collection("sessions")
    .updateOne({ caseId: theCase.id, number }, { $set: { startedAt: new Date(Date.now() - days * DAY_MS) } });
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

test("when they came on other days, then each is certified of their own, and what was said last counts", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const first = await hold(built, p1, "continues");
  const second = await hold(built, p2, "agreed_all");
  await heldDaysAgo(first.number, built, 9);
  await heldDaysAgo(second.number, built, 4);
  expect(await choicesOf(built, built.p1)).toMatchObject({ firstOn: dayAgo(9), lastOn: dayAgo(9) });
  expect(await choicesOf(built, built.p2)).toMatchObject({ firstOn: dayAgo(4), lastOn: dayAgo(4) });
  const said = `The person named above took part in shuttle mediation, held with each participant at a separate time: the`;
  const [ofP1, ofP2] = [await issue(built, built.p1), await issue(built, built.p2)];
  expect(ofP1.sentences).toEqual([`${said} session with them was on ${inWords(dayAgo(9))}.`]);
  expect(ofP2.sentences).toEqual([`${said} session with them was on ${inWords(dayAgo(4))}.`]);
  const printed = (await pdfText(app, practice, `/export/certificates/${ofP1.id}.pdf`)).toLowerCase();
  expect(printed.replaceAll(" ", "")).toContain(ofP1.sentences.join().toLowerCase().replaceAll(" ", ""));
  expect(printed).not.toContain("another participant");
  // As one of before, which says that another participant was there.
  await CertificateModel.updateOne({ _id: ofP2.id, ownerId: practice.ownerId }, { $unset: { mediating: 1 } });
  const third = await hold(built, p1, "broken_off");
  expect(await choicesOf(built, built.p1)).toMatchObject({ firstOn: dayAgo(9), lastOn: TODAY });
  const { sentence } = await choicesOf(built, built.p1);
  expect(sentence).toBe(`${said} first session with them was on ${inWords(dayAgo(9))}, the last on ${inWords(TODAY)}.`);
  const { items } = await practice.api.tasks.list.query({ caseId: built.theCase.id });
  const asked = items.filter(({ title }) => title.startsWith("Look again at"));
  expect(asked).toMatchObject([{ title: expect.stringContaining(ofP2.number) }]);
  expect((await refusal(conclude(built))).fields).toEqual({
    reason: expect.stringContaining(`Session ${third.number} says`),
  });
});

test("when the other had left before they came, which is recorded only once they are certified, then whoever signed is asked to look", async () => {
  const built = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: dayAgo(30) });
  await signedBefore(practice, built.theCase.id, dayAgo(30));
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const others = await hold(built, p2, "continues");
  const own = await hold(built, p1, "continues");
  await heldDaysAgo(others.number, built, 9);
  await heldDaysAgo(own.number, built, 4);
  const { api } = practice;
  const caseId = built.theCase.id;
  // As if everything until then had been a while ago.
  const days = ["respondedOn", "intakeDoneOn", "miamOn", "assessedOn", "agreementSignedOn"];
  const earlier = Object.fromEntries(days.map((day) => [`parties.$[].${day}`, dayAgo(15)]));
  await CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: caseId },
    { $set: { ...earlier, "parties.$[].steps.$[].on": dayAgo(15) } },
  );
  const certificate = { id: newId(), caseId, partyId: p1, replaceReason: "" };
  const { number } = await api.certificates.issueMediation.mutate(certificate);
  const leave = async (on: string) => {
    const step = { ...at(await api.cases.get.query({ id: caseId })), partyId: p2, to: "withdrawn" as const, on };
    await api.casework.moveParty.mutate({ ...step, reason: "They wrote", isOwnDecision: true });
  };
  const asked = async () =>
    (await api.tasks.list.query({ caseId })).items.map(({ title }) => title).filter((title) => title.includes(number));
  await leave(dayAgo(2));
  expect(await asked()).toEqual([]);
  const wrong = { partyId: p2, of: "step" as const, reason: "It was earlier" };
  await api.casework.correct.mutate({ ...at(await api.cases.get.query({ id: caseId })), ...wrong });
  await leave(dayAgo(6));
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
  expect(await asked()).toEqual([expect.stringContaining("is not recorded any more")]);
});

test("when two stand together on one side and came one after the other, then each of them mediated with the other side", async () => {
  const built = await mediated();
  const { api } = practice;
  const clientId = (await api.clients.create.mutate(aClient({ email: "", phones: [] }))).id;
  const fresh = () => api.cases.get.query({ id: built.theCase.id });
  const party = { clientId, role: "participant" as const, side: "" };
  const joined = await api.casework.addParty.mutate({ ...at(await fresh()), changeId: newId(), party });
  const p3 = joined.parties[2]?.partyId ?? "";
  await mongoose.connection.collection<{ _id: string }>("cases").updateOne(
    { _id: built.theCase.id },
    {
      $set: {
        "parties.0.side": "Grandparents",
        "parties.2.side": "Grandparents",
        "parties.2.status": "active",
        "parties.2.consentedOn": TODAY,
        "parties.2.agreementSignedOn": TODAY,
      },
    },
  );
  await api.conflicts.decide.mutate({ id: newId(), caseId: built.theCase.id, decision: "clear", reason: "" });
  await screened(joined, joined.parties.slice(1));
  for (const partyId of [built.p1.partyId, p3, built.p2.partyId]) await hold(built, partyId, "continues");
  for (const partyId of [built.p1.partyId, p3, built.p2.partyId])
    expect(await choicesOf(built, { partyId })).toMatchObject({ lastOn: TODAY, blockers: [] });
});

test("when the same side came twice, then nobody mediated with another", async () => {
  const built = await mediated();
  for (const code of ["continues", "continues"] as const) await hold(built, built.p1.partyId, code);
  expect((await refusal(conclude(built))).fields).toHaveProperty("code");
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
});

test("when the first of them is not locked yet, then nothing rests on it before it is", async () => {
  const built = await mediated();
  const first = await hold(built, built.p1.partyId, "continues", { isLeftOpen: true });
  await hold(built, built.p2.partyId, "agreed_all");
  expect(await choicesOf(built, built.p2)).toMatchObject({
    blockers: [expect.stringContaining(`Session ${first.number} is not locked yet`)],
  });
  await first.lock();
  expect(await choicesOf(built, built.p2)).toMatchObject({ blockers: [] });
});

test("before mediation began, and once somebody is not safe, it is held with nobody", async () => {
  const early = await aCase(practice, ledBy(practice.ownerId));
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: early.theCase.id, decision: "clear", reason: "" });
  await screened(early.theCase, early.theCase.parties);
  expect(await refusal(start(early, early.p1.partyId))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Mediation has not begun yet"),
  });
  const built = await mediated();
  const { theCase, p1, p2 } = built;
  const { id: meetingId } = await book(built, p1.partyId);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const begin = practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  expect(await refusal(begin)).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("when both were asked and one did not come, then that is mediation of nobody: the day before it is certified", async () => {
  const built = await mediated();
  const both = [built.p1.partyId, built.p2.partyId];
  const { number } = await holdFor(built, both, { type: "mediation" });
  await heldDaysAgo(number, built, 20);
  await holdFor(built, [built.p1.partyId], { type: "shuttle", asked: both });
  for (const party of [built.p1, built.p2])
    expect(await choicesOf(built, party)).toMatchObject({ firstOn: dayAgo(20), lastOn: dayAgo(20) });
  const issued = await issue(built, built.p1);
  expect(issued).toMatchObject({ mediatedFrom: dayAgo(20), mediatedUntil: dayAgo(20) });
  const day = inWords(dayAgo(20)).toLowerCase().replaceAll(" ", "");
  const printed = await pdfText(app, practice, `/export/certificates/${issued.id}.pdf`);
  const text = printed.toLowerCase().replaceAll(" ", "");
  expect(text).toContain(`attendedmediationwithanotherparticipanton${day}.`);
});

test("when each of them missed the one to which both were asked, then nobody mediated with anybody", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  for (const came of [p1, p2]) await holdFor(built, [came], { type: "shuttle", asked: [p1, p2] });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  expect(await practice.api.casework.steps.query({ id: built.theCase.id })).toMatchObject({ hasSession: false });
  await holdFor(built, [p1, p2], { type: "shuttle" });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY });
});

test("when one came alone after a session of both, then their last day is that one only once the other came too", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const joint = await holdFor(built, [p1, p2], { type: "mediation" });
  const alone = await hold(built, p1, "continues");
  await heldDaysAgo(joint.number, built, 30);
  await heldDaysAgo(alone.number, built, 9);
  expect(await choicesOf(built, built.p1)).toMatchObject({ firstOn: dayAgo(30), lastOn: dayAgo(30) });
  await hold(built, p2, "continues");
  const sentence = expect.stringContaining("some of it as shuttle mediation that was held with each participant at a");
  expect(await choicesOf(built, built.p1)).toMatchObject({ firstOn: dayAgo(30), lastOn: dayAgo(9), sentence });
  expect(await choicesOf(built, built.p2)).toMatchObject({ firstOn: dayAgo(30), lastOn: TODAY });
});

test("when somebody was marked in error who was not asked, then the mark is taken away, before the lock and after it", async () => {
  const { sessions } = practice.api;
  const built = await mediated();
  const { p1, p2 } = built;
  const { id: first, lock } = await hold(built, p1.partyId, "continues", { isLeftOpen: true });
  const of = (id: string, partyId: string) => ({ id, changeId: newId(), partyId });
  for (const state of ["no_show", "present", null] as const) {
    const { attendance, partyIds } = await sessions.setAttendance.mutate({ ...of(first, p2.partyId), state });
    expect({ came: attendance.length, asked: partyIds.length }).toEqual(
      { no_show: { came: 2, asked: 1 }, present: { came: 2, asked: 2 }, none: { came: 1, asked: 1 } }[state ?? "none"],
    );
  }
  const ASKED = { fields: { state: expect.stringContaining("was asked to come") } };
  expect(await refusal(sessions.setAttendance.mutate({ ...of(first, p1.partyId), state: null }))).toMatchObject(ASKED);
  await lock();
  await hold(built, p2.partyId, "continues");
  for (const party of [p1, p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY });
  const amend = (partyId: string, state: "no_show" | null) =>
    sessions.amend.mutate({ id: first, changeId: newId(), text: "It was so", attendance: [{ partyId, state }] });
  await amend(p2.partyId, "no_show");
  for (const party of [p1, p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  expect((await amend(p2.partyId, null)).amendments).toMatchObject([
    { attendance: [{ from: null, to: "no_show" }] },
    { attendance: [{ from: "no_show", to: null }] },
  ]);
  for (const party of [p1, p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY });
  expect(await refusal(amend(p1.partyId, null))).toMatchObject(ASKED);
});

test("when one came alone and left before the other came, then nobody mediated with anybody, and who left after that did", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const [first, second] = [await hold(built, p1, "continues"), await hold(built, p2, "continues")];
  await heldDaysAgo(first.number, built, 9);
  await heldDaysAgo(second.number, built, 4);
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const step = { id, version, partyId: p1, to: "withdrawn" as const, reason: "No more", isOwnDecision: true };
  await practice.api.casework.moveParty.mutate({ ...step, on: TODAY });
  const left = async (days: number) => {
    const of = { _id: id, ownerId: practice.ownerId };
    const doc = await CaseModel.findOne(of).lean();
    const steps = doc?.parties[0]?.steps.map((each) =>
      each.to === "withdrawn" ? { ...each, on: dayAgo(days) } : each,
    );
    await CaseModel.updateOne(of, { $set: { "parties.0.steps": steps } });
  };
  await left(6);
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  const back = { ...at(await practice.api.cases.get.query({ id })), partyId: p1, reason: "Comes again" };
  await practice.api.casework.moveParty.mutate({ ...back, to: "responded", on: TODAY });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  await left(2);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: dayAgo(9) });
  expect(await choicesOf(built, built.p2)).toMatchObject({ lastOn: dayAgo(4) });
});

test("when a screening of an earlier day found one not safe, then what the other came to after that day is mediation of nobody, also once they are safe again", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const sessions = [await hold(built, p2, "continues"), await hold(built, p1, "continues")];
  await heldDaysAgo(sessions[0]?.number ?? 0, built, 9);
  await heldDaysAgo(sessions[1]?.number ?? 0, built, 4);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: dayAgo(4) });
  const screen = async (found: object, days: number) => {
    const { screenings, cases } = practice.api;
    const given = aScreening(await cases.get.query({ id: built.theCase.id }), p2, found);
    await screenings.complete.mutate({ ...given, heldOn: dayAgo(days) });
  };
  await screen(NOT_SAFE, 6);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
  await screen({}, 0);
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
});

test("when somebody joined after one had come alone, then they mediated with nobody on that day", async () => {
  const built = await mediated();
  const { number } = await hold(built, built.p1.partyId, "continues");
  await heldDaysAgo(number, built, 9);
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const added = { clientId, role: "respondent" as const, side: "" };
  const joined = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party: added });
  const partyId = joined.parties.at(-1)?.partyId ?? "";
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: id, decision: "clear", reason: "" });
  const signed = { "parties.2.status": "active", "parties.2.agreementSignedOn": TODAY };
  await CaseModel.updateOne({ _id: id, ownerId: practice.ownerId }, { $set: signed });
  const session = { partyId, at: new Date(), state: "present" };
  const { number: later } = await hold(built, built.p2.partyId, "continues");
  await mongoose.connection
    .collection("sessions")
    .updateOne({ caseId: id, number: later }, { $set: { attendance: [session], partyIds: [partyId] } });
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
});

test("casework.moveParty: nobody left before a session at which they were", async () => {
  const built = await mediated();
  const { number } = await hold(built, built.p2.partyId, "continues");
  const step = { ...at(await practice.api.cases.get.query({ id: built.theCase.id })), partyId: built.p2.partyId };
  const left = { ...step, reason: "Said so", on: dayAgo(3) };
  for (const to of ["withdrawn", "died"] as const) {
    const moved = practice.api.casework.moveParty.mutate({ ...left, to, isOwnDecision: to === "died" ? null : true });
    expect((await refusal(moved)).fields).toEqual({ on: expect.stringContaining(`was at session ${number}`) });
  }
});

test.each([
  ["fell silent and then withdrew", ["no_response", "withdrawn"]],
  ["withdrew and then died", ["withdrawn", "died"]],
] as const)("when one came alone, %s, then they had left by the first of it", async (_what, [first, then]) => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const sessions = [await hold(built, p2, "continues"), await hold(built, p1, "continues")];
  await heldDaysAgo(sessions[0]?.number ?? 0, built, 9);
  await heldDaysAgo(sessions[1]?.number ?? 0, built, 4);
  const of = { _id: built.theCase.id, ownerId: practice.ownerId };
  const step = async (from: PartyStatus, to: PartyStatus, days: number) => {
    const one = { from, to, at: new Date(), since: new Date(), reason: "", on: dayAgo(days), isOwnDecision: true };
    await CaseModel.updateOne(of, { $set: { "parties.1.status": to }, $push: { "parties.1.steps": one } });
  };
  await step("active", first, 6);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
  await step(first, then, 1);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
});

test.each(["call", "other", "pre_meeting"] as const)(
  "when both came to a meeting of the type %s, then nobody mediated, and at a mediation they did",
  async (type) => {
    const built = await mediated();
    const both = [built.p1.partyId, built.p2.partyId];
    await holdFor(built, both, { type });
    expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: "" });
    expect(await practice.api.casework.steps.query({ id: built.theCase.id })).toMatchObject({ hasSession: false });
    await holdFor(built, both, { type: "mediation" });
    expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: TODAY });
  },
);

test("supervision takes no parties, and is no session of a case", async () => {
  const built = await mediated();
  const refused = await refusal(book(built, [built.p1.partyId], "supervision"));
  expect(refused.fields).toEqual({ partyIds: expect.stringContaining("Supervision is the mediator’s own") });
  expect(await refusal(start(built, [], "supervision"))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Supervision is no session of a case"),
  });
});

/** What is found of the other side, and what there is to do about it. */
const FOUND: [string, (built: Built) => Promise<unknown>, string][] = [
  [
    "a screening finds the other side not safe",
    ({ theCase, p2 }) => practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE)),
    "not safe to mediate",
  ],
  [
    "a review raises a concern about the other side",
    async ({ theCase, p2: { partyId } }) => {
      const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
      const said = { hasChanged: true, isSafe: true, doMeasuresFit: false, note: "He waited at her door" };
      await practice.api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId, ...said });
    },
    "Screen P2 again",
  ],
  [
    "the screening of the other side is too old",
    async ({ theCase, p2: { partyId } }) =>
      mongoose.connection
        .collection("screenings")
        .updateMany({ caseId: theCase.id, partyId }, { $set: { heldOn: dayAgo(200) } }),
    "Screen P2 again",
  ],
];

test.each(FOUND)("when %s, then one side alone is neither booked nor begun with", async (_what, find, told) => {
  const built = await mediated();
  const { id: meetingId } = await book(built, built.p1.partyId);
  await find(built);
  const refused = { code: "PRECONDITION_FAILED", message: expect.stringContaining(told) };
  expect(await refusal(book(built, built.p1.partyId))).toMatchObject(refused);
  const begin = practice.api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId });
  expect(await refusal(begin)).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("when a review raises a concern about the other side, then whoever may not read screenings is told only that it waits", async () => {
  const built = await mediated();
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] });
  const [, find] = FOUND[1] ?? [];
  await find?.(built);
  const input = aMeetingInput(practice.ownerId, {
    startsAt: "2034-04-01T09:00:00.000Z",
    endsAt: "2034-04-01T09:45:00.000Z",
    type: "shuttle",
    caseId: built.theCase.id,
    partyIds: [built.p1.partyId],
  });
  expect(await refusal(blind.api.meetings.create.mutate(input))).toMatchObject({
    message: expect.stringContaining("has to wait for the safety screening"),
  });
});

test("sessions.meetings: lists the meetings of everybody in the case that take or took place and have no session yet", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  const first = await book(built, p1);
  const second = await book(built, p2);
  const cancelled = await book(built, p2);
  const { id, version } = cancelled;
  await practice.api.meetings.cancel.mutate({ id, version, changeId: newId(), reason: "Ill", ...CALLED_OFF });
  await book(built, [], "supervision");
  const listed = async () =>
    (await practice.api.sessions.meetings.query({ id: built.theCase.id })).items.map((meeting) => [
      meeting.id,
      meeting.partyIds,
    ]);
  expect(await listed()).toEqual([
    [second.id, [p2]],
    [first.id, [p1]],
  ]);
  const made = { id: newId(), caseId: built.theCase.id, meetingId: second.id };
  expect(await practice.api.sessions.start.mutate(made)).toMatchObject({ partyIds: [p2] });
  expect(await listed()).toEqual([[first.id, [p1]]]);
});
