// A screening that was recorded in error, such as of the wrong person: it stays to be read, and counts for nothing.
import { inTransaction } from "@app/server/core/database";
import { measuresAt, screeningGapsAt } from "@app/server/features/screenings/past-screenings.service";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, dayIn } from "@app/shared/days";
import type { CompleteScreening } from "@app/shared/screenings";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type Api, scopeOf } from "../support/server/people.ts";
import { aCompletion } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const REASON = "Her answers were typed at him";
const TODAY = dayIn("Europe/London", new Date());
const YESTERDAY = { heldOn: addDays(TODAY, -1) };

async function aScreenedCase(status: PartyStatus, ...found: Partial<CompleteScreening>[]) {
  const { theCase, p1, p2 } = await aCase(practice, {}, { isScreened: false });
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  const miamOn = status === "miam_attended" ? "2026-01-05" : "";
  await cases.updateOne({ _id: theCase.id }, { $set: { "parties.0.status": status, "parties.0.miamOn": miamOn } });
  const ids: string[] = [];
  for (const one of found) {
    const { id } = await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, one));
    ids.push(id);
  }
  return { theCase, p1, p2, last: ids.at(-1) ?? "" };
}
const strike = (id: string, api: Api = practice.api) => api.screenings.strike.mutate({ id, reason: REASON });
const p1Of = async (id: string) => (await practice.api.cases.get.query({ id })).parties[0];
const listOf = async (caseId: string) => (await practice.api.screenings.list.query({ caseId })).items;

test("screenings.strike: one of the wrong person, then it is read with why, the one before it counts again, and the party stands where they stood", async () => {
  const { theCase, last } = await aScreenedCase("intake_done", YESTERDAY, NOT_SAFE);
  expect(await p1Of(theCase.id)).toMatchObject({ status: "not_suitable" });
  expect(await strike(last)).toMatchObject({ status: "struck", struck: { reason: REASON, byName: "Ines Marchbank" } });
  expect(await p1Of(theCase.id)).toMatchObject({ status: "intake_done", leftAt: null });
  expect(await listOf(theCase.id)).toMatchObject([
    { ...NOT_SAFE, status: "struck", struck: { reason: REASON } },
    { suitable: "yes", status: "completed", struck: null },
  ]);
  expect(await refusal(strike(last))).toMatchObject({ code: "PRECONDITION_FAILED" });
  const stored = mongoose.connection.collection("screenings");
  expect(JSON.stringify(await stored.find({}).toArray())).not.toContain(REASON);
});

test.each<[string, PartyStatus, Partial<CompleteScreening>[], PartyStatus]>([
  ["not safe, held first", "miam_attended", [NOT_SAFE], "miam_attended"],
  ["not safe, after one that was safe", "miam_attended", [YESTERDAY, NOT_SAFE], "suitable"],
  [
    "not safe, after one with measures",
    "miam_attended",
    [{ ...YESTERDAY, ...withMeasures("shuttle") }, NOT_SAFE],
    "suitable_with_measures",
  ],
  ["not safe, after one that was not safe", "responded", [{ ...YESTERDAY, ...NOT_SAFE }, NOT_SAFE], "not_suitable"],
  ["safe, held first", "miam_attended", [{}], "miam_attended"],
  ["safe, after one that was not safe", "responded", [{ ...YESTERDAY, ...NOT_SAFE }, {}], "not_suitable"],
  ["safe, before the MIAM", "responded", [{}], "responded"],
])(
  "screenings.strike: of one that found them %s, whoever was in %s stands where the rest says",
  async (_found, status, found, after) => {
    const { theCase, last } = await aScreenedCase(status, ...found);
    await strike(last);
    expect(await p1Of(theCase.id)).toMatchObject({ status: after });
  },
);

test("screenings.strike: of somebody in mediation who was found not safe in error, they are in it again and signed still", async () => {
  const { theCase } = await aMediatedCase(practice);
  const [p1] = theCase.parties;
  const { id } = await practice.api.screenings.complete.mutate(aScreening(theCase, p1?.partyId ?? "", NOT_SAFE));
  expect(await p1Of(theCase.id)).toMatchObject({ status: "not_suitable" });
  await strike(id);
  expect(await p1Of(theCase.id)).toMatchObject({ status: "active", leftAt: null });
});

test.each(["nothing", "a screening that was safe"])(
  "screenings.strike: of somebody who had attended their MIAM, found not safe in error after %s, they have attended it still",
  async (before) => {
    const { theCase, p1 } = await aScreenedCase("miam_booked");
    await authorise(practice);
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
    await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: TODAY }));
    const complete = (found: Partial<CompleteScreening>) =>
      practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
    if (before !== "nothing") await complete(YESTERDAY);
    const { id } = await complete(NOT_SAFE);
    await strike(id);
    const status = before === "nothing" ? "miam_attended" : "suitable";
    expect(await p1Of(theCase.id)).toMatchObject({ status, miamOn: TODAY, leftAt: null });
    await complete(NOT_SAFE);
    await complete({});
    expect(await p1Of(theCase.id)).toMatchObject({ status: "suitable", miamOn: TODAY, leftAt: null });
  },
);

test("screenings.strike: whoever was found not suitable by a decision, stays so whatever is struck", async () => {
  const { theCase, p1, last } = await aScreenedCase("miam_attended", YESTERDAY, {});
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const decided = {
    id: theCase.id,
    version,
    partyId: p1.partyId,
    to: "not_suitable",
    on: TODAY,
    reason: "Capacity",
  } as const;
  await practice.api.casework.moveParty.mutate(decided);
  await strike(last);
  const { id } = await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
  await strike(id);
  expect(await p1Of(theCase.id)).toMatchObject({ status: "not_suitable", reason: "Capacity" });
});

test("screenings.strike: that somebody is not safe is struck only by those who may find them safe", async () => {
  const { theCase, last } = await aScreenedCase("responded", {}, NOT_SAFE);
  const { api } = await aStaffUser(app, practice, {
    role: 3,
    permissions: ["clients.read", "clients.write", "screening.read"],
  });
  expect(await refusal(strike(last, api))).toMatchObject({ code: "FORBIDDEN" });
  expect(await p1Of(theCase.id)).toMatchObject({ status: "not_suitable" });
  const safe = (await listOf(theCase.id)).find(({ suitable }) => suitable === "yes");
  expect(await strike(safe?.id ?? "", api)).toMatchObject({ status: "struck" });
});

test("screenings.strike: it counts for no invitation, no risk assessment of a MIAM and no session that was held, and a task says to look", async () => {
  const { theCase, p1, p2, last } = await aScreenedCase("miam_attended", withMeasures("shuttle"));
  const scope = scopeOf(practice.ownerId);
  const met = { caseId: theCase.id, parties: [p1], at: new Date() };
  const past = () => inTransaction(async () => [await measuresAt(scope, met), await screeningGapsAt(scope, met)]);
  expect(await past()).toEqual([["shuttle"], []]);
  await strike(last);
  expect(await past()).toEqual([[], ["P1 had not been screened."]]);
  expect((await practice.api.screenings.measures.query({ caseId: theCase.id })).items).toEqual([]);
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const asked = { changeId: "asked", id: theCase.id, version, partyId: p2.partyId, channel: "post" } as const;
  const invited = practice.api.casework.inviteParty.mutate({ ...asked, on: TODAY, wording: "Come" });
  expect((await refusal(invited)).message).toContain("Complete the screening of P1.");
  await authorise(practice);
  const miam = anAssessment(
    { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId },
    { attendedOn: TODAY },
  );
  expect((await refusal(practice.api.assessments.record.mutate(miam))).fields).toHaveProperty("riskAssessment");
  const { items } = await practice.api.tasks.list.query({ page: 1, caseId: theCase.id });
  expect(items.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^Safety: look at what rests on the struck/),
  );
});

test("screenings.strike: the safeguarding entry that it opened is the party's no more, says so, and waits still for whoever judges it", async () => {
  const { theCase, p1 } = await aScreenedCase("responded");
  const { api } = practice;
  const screening = aScreening(theCase, p1.partyId, { whyNeither: "They live far apart for good" });
  const answers = { ...screening.answers, physical: told("He hit her") };
  const { id } = await api.screenings.complete.mutate({ ...screening, answers });
  const entry = async () => (await api.safeguarding.list.query({ caseId: theCase.id })).items[0];
  expect(await entry()).toMatchObject({ opened: { partyId: p1.partyId }, state: "to_complete" });
  await strike(id);
  const after = await entry();
  expect(after).toMatchObject({
    opened: null,
    state: "to_complete",
    version: 1,
    latest: {
      personAtRisk: "Not known yet",
      concern: "About physical harm or threats: He hit her",
      why: `The screening that opened this entry was struck as recorded in error (${REASON}). Look again at whom it is about.`,
    },
  });
  const tasks = async (clientId: string | undefined) =>
    (await api.tasks.list.query({ page: 1, caseId: theCase.id, isOpen: true, ...(clientId ? { clientId } : {}) })).items
      .map(({ title }) => title)
      .filter((title) => title === "Complete a safeguarding entry");
  expect(await tasks(p1.clientId)).toEqual([]);
  expect(await tasks(undefined)).toHaveLength(1);
  await api.safeguarding.complete.mutate({ ...aCompletion(after?.id ?? "", theCase.id), version: 1 });
  expect(await entry()).toMatchObject({ state: "kept", version: 2 });
});
