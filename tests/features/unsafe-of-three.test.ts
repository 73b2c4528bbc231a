// One of three is not safe to mediate, and the others would go on without them.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const blind = forAllTests(() =>
  aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "calendar.manage"] }),
);
const { decide } = stepping(practice);

/** Two of whom stand on one side mediate with a third, until the first of the two is found not safe. */
async function aCaseOfThree({ sides }: { sides: string[] }) {
  const { theCase, start, input } = await screenedCaseOf(practice, [{}, {}]);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const joined = await practice.api.casework.addParty.mutate({
    ...at(await practice.api.cases.get.query({ id: theCase.id })),
    changeId: newId(),
    party: { clientId, role: "participant", side: "" },
  });
  await decide(joined.id);
  await screened(joined, joined.parties.slice(2));
  const days = { "parties.2.consentedOn": "2026-01-05", "parties.2.agreementSignedOn": "2026-01-05" };
  const begun = { "parties.2.status": "active", "parties.2.joinedAt": null, ...days };
  const standing = Object.fromEntries(sides.map((side, index) => [`parties.${index}.side`, side]));
  await CaseModel.updateOne({ _id: joined.id, ownerId: practice.ownerId }, { $set: { ...begun, ...standing } });
  const [p1 = "", p2 = "", p3 = ""] = joined.parties.map(({ partyId }) => partyId);
  const screen = (partyId: string, more = {}) =>
    practice.api.screenings.complete.mutate(aScreening(joined, partyId, more));
  await screen(p1, NOT_SAFE);
  const begin = (unmetReason: string, api: Api = practice.api) =>
    api.sessions.start.mutate({ id: newId(), caseId: joined.id, meetingId: null, unmetReason });
  return { joined, start, begin, screen, p1, p2, p3, input };
}

test("sessions.start: when one of three is not safe, then the others meet only with a reason of who may read screenings", async () => {
  const { begin, start } = await aCaseOfThree({ sides: ["", "", ""] });
  expect((await refusal(start(practice.api))).fields).toEqual({
    unmetReason:
      "The screening of P1 did not allow mediation. Say why the others meet without them all the same; your reason is kept with the session.",
  });
  for (const reason of ["", "They both want to"])
    expect(await refusal(begin(reason, blind.api))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: SCREENING_SAYS_NOT_YET,
    });
  expect(await begin("It is about the house of the two alone")).toMatchObject({
    status: "in_progress",
    unmet: [
      {
        what: ["The screening of P1 did not allow mediation."],
        reason: "It is about the house of the two alone",
      },
    ],
  });
});

test("sessions.start: when one of a side is not safe, then the other of that side is screened again first", async () => {
  const { begin, screen, p2, p3, input } = await aCaseOfThree({ sides: ["Grandparents", "Grandparents", ""] });
  const refused = {
    code: "PRECONDITION_FAILED",
    message: "Screen P2 again: P1, on the same side, was found not safe to mediate since the last screening.",
  };
  expect(await refusal(begin("They both want to"))).toMatchObject(refused);
  expect(await refusal(practice.api.meetings.create.mutate(input({ partyIds: [p2, p3] })))).toMatchObject(refused);
  await screen(p2);
  expect(await begin("It is about the house of the two alone")).toMatchObject({ status: "in_progress" });
});

/** The session that goes on was held; who came is marked, asked about their safety, and it is locked. */
async function lock(id: string, partyIds: string[], unmetReason = "") {
  const { sessions } = practice.api;
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" }, outcomeBefore: null });
  await sessions.move.mutate({ ...change(), to: "ended" });
  return sessions.move.mutate({ ...change(), to: "locked", unmetReason });
}

test("sessions.start: when a reason was given at an earlier session, then later ones ask nothing until somebody is found not safe anew", async () => {
  const { begin, screen, p1, p2, p3 } = await aCaseOfThree({ sides: ["", "", ""] });
  const why = "It is about the house of the two alone";
  const first = await begin(why);
  const kept = [{ reason: why }, { reason: "Asked at its start" }];
  expect(await lock(first.id, [p2, p3], "Asked at its start")).toMatchObject({ status: "locked", unmet: kept });
  const second = await begin("", blind.api);
  expect(second).toMatchObject({ status: "in_progress" });
  expect(second.unmet.flatMap(({ what }) => what)).toEqual([]);
  const { unmet } = await lock(second.id, [p2, p3], "Asked at its start");
  expect(unmet.flatMap(({ what }) => what).join(" ")).not.toContain("did not allow mediation");
  await screen(p1, NOT_SAFE);
  expect((await refusal(begin(""))).fields).toEqual({
    unmetReason: expect.stringContaining("The screening of P1 did not allow mediation. Say why the others meet"),
  });
  expect(await begin(why)).toMatchObject({ status: "in_progress" });
});

test("sessions.start: when the session at which a reason was given was called off, then the next one asks again", async () => {
  const { begin } = await aCaseOfThree({ sides: ["", "", ""] });
  const { id } = await begin("It is about the house of the two alone");
  const off = { id, changeId: newId(), to: "cancelled" as const, cancelReason: "The fire alarm rang" };
  await practice.api.sessions.move.mutate(off);
  expect((await refusal(begin(""))).fields).toHaveProperty("unmetReason");
});

const HOUR_MS = 3_600_000;

/** A meeting of these two that is over, and the calls that record it. */
async function held({ input, joined }: Awaited<ReturnType<typeof aCaseOfThree>>, partyIds: string[], hoursAgo: number) {
  const { meetings } = practice.api;
  // Hours ago may have been yesterday.
  const screenings = { ownerId: practice.ownerId, caseId: joined.id };
  await ScreeningModel.updateMany(screenings, { $set: { heldOn: daysAgo(2) } });
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const [startedAt, endedAt] = [ago(hoursAgo), ago(hoursAgo - 1)];
  const times = { startsAt: startedAt, endsAt: endedAt, allowsOverlap: true };
  const { id, version } = await meetings.create.mutate(input({ partyIds, ...times }));
  const complete = (unmetReason: string) => meetings.setStatus.mutate({ id, version, to: "completed", unmetReason });
  const write = (unmetReason = "", api: Api = practice.api) =>
    api.sessions.record.mutate({
      id: newId(),
      caseId: joined.id,
      meetingId: id,
      startedAt,
      endedAt,
      unmetReason,
    });
  return { complete, write };
}

test("sessions.record: what was said when the meeting was marked as held is kept with its session, asked once, and stands for the next ones", async () => {
  const built = await aCaseOfThree({ sides: ["", "", ""] });
  const { p2, p3, begin } = built;
  const { complete, write } = await held(built, [p2, p3], 4);
  const why = "It is about the house of the two alone";
  const told = "The screening of P1 did not allow mediation.";
  expect((await refusal(complete(""))).fields).toEqual({ unmetReason: expect.stringContaining(told) });
  await complete(why);
  const session = await write();
  expect(session.unmet).toMatchObject([{ reason: why, byName: "Ines Marchbank" }]);
  expect(session.unmet.flatMap(({ what }) => what)).toContain(told);
  const next = await held(built, [p2, p3], 2);
  const again = await refusal(next.complete(""));
  expect(again.fields?.["unmetReason"] ?? "").not.toContain(told);
  expect((await begin("")).status).toBe("in_progress");
});

test("sessions.record: what was said of the meeting counts no more once somebody was found not safe anew", async () => {
  const built = await aCaseOfThree({ sides: ["", "", ""] });
  const { complete, write } = await held(built, [built.p2, built.p3], 4);
  await complete("It is about the house of the two alone");
  await built.screen(built.p1, NOT_SAFE);
  expect((await refusal(write())).fields).toEqual({
    unmetReason: expect.stringContaining("The screening of P1 did not allow mediation."),
  });
});

test("sessions.record: whoever had been found not safe on a day before it is not awaited, though that was written down only later", async () => {
  const { joined, screen, p1, p2, p3 } = await aCaseOfThree({ sides: ["", "", ""] });
  const { items } = await practice.api.screenings.list.query({ caseId: joined.id });
  const strike = items.find(({ suitable, status }) => suitable === "no" && status === "completed");
  await practice.api.screenings.strike.mutate({ id: strike?.id ?? "", reason: "It was on another day" });
  await screen(p1, { ...NOT_SAFE, heldOn: daysAgo(5) });
  const record = (days: number) =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: joined.id,
      meetingId: null,
      startedAt: `${daysAgo(days)}T10:00:00.000Z`,
      endedAt: `${daysAgo(days)}T11:00:00.000Z`,
      unmetReason: "It is about the house of the two alone",
    });
  expect((await record(2)).partyIds).toEqual([p2, p3]);
  // Before that day they were expected.
  expect((await record(6)).partyIds).toEqual([p1, p2, p3]);
});

test("sessions.start: a reason for which two of them met says nothing of a third who meets one of these", async () => {
  const { joined, screen, p1, p2, p3, input } = await aCaseOfThree({ sides: ["", "", ""] });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const four = await practice.api.casework.addParty.mutate({
    ...at(await practice.api.cases.get.query({ id: joined.id })),
    changeId: newId(),
    party: { clientId, role: "participant", side: "" },
  });
  await decide(four.id);
  const days = { "parties.3.consentedOn": "2026-01-05", "parties.3.agreementSignedOn": "2026-01-05" };
  await CaseModel.updateOne(
    { _id: four.id, ownerId: practice.ownerId },
    { $set: { "parties.3.status": "active", "parties.3.joinedAt": null, ...days } },
  );
  const p4 = four.parties[3]?.partyId ?? "";
  await screened(four, four.parties.slice(3));
  await screen(p1, NOT_SAFE);
  const meet = async (partyIds: string[], unmetReason = "") => {
    const { id } = await practice.api.meetings.create.mutate(input({ partyIds, allowsOverlap: true }));
    const begun = { id: newId(), caseId: four.id, meetingId: id, unmetReason };
    return practice.api.sessions.start.mutate(begun);
  };
  const { id } = await meet([p2, p3], "These two wish it");
  await lock(id, [p2, p3], "Asked at its start");
  expect((await refusal(meet([p3, p4]))).fields).toEqual({
    unmetReason: expect.stringContaining("The screening of P1 did not allow mediation."),
  });
  expect((await meet([p2, p3])).status).toBe("in_progress");
});

test("sessions.amend: whoever was not safe, when they are found to have come after all, is asked about anew: the reason was why the others met without them", async () => {
  const { begin, p1, p2, p3 } = await aCaseOfThree({ sides: ["", "", ""] });
  const { sessions } = practice.api;
  const { id } = await begin("It is about the house of the two alone");
  const change = () => ({ id, changeId: newId() });
  const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
  for (const partyId of [p2, p3]) {
    await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await sessions.move.mutate({ ...change(), to: "ended" });
  await sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed" });
  await sessions.reviewSafety.mutate({ ...change(), partyId: p1, ...safe });
  const amend = (unmetReason: string) =>
    sessions.amend.mutate({
      ...change(),
      text: "She came after all",
      attendance: [{ partyId: p1, state: "present" }],
      unmetReason,
    });
  expect((await refusal(amend(""))).fields).toHaveProperty("unmetReason");
  const why = "She came unasked, and sat apart";
  const given = (await amend(why)).unmet.filter(({ reason }) => reason === why).flatMap(({ what }) => what);
  expect(given).toContain("The screening of P1 did not allow mediation.");
});
