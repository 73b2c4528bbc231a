// Whoever joins a case later meets people who were asked about others: they are asked again first.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { leading, aMediatedCase, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const AGAIN = (label: string, joined = "P3") =>
  `Screen ${label} again: ${joined} joined the case since the last screening, so they were not asked about them.`;
const ANEW = (label: string) =>
  `${label} consented before P3 joined the case. Ask again, and record the consent with its new day.`;
const WITHOUT = "Until then a session can be held without them. If its meeting names them, take them out of it first.";

const fresh = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const idsOf = ({ parties }: Case, ...indexes: number[]) => indexes.map((index) => parties[index]?.partyId ?? "");

/** A mediation of two that began weeks ago, which a third has joined today and signed for. */
async function joinedBy({ side = "", sides = ["", ""] }: { side?: string; sides?: string[] } = {}) {
  const { theCase } = await aMediatedCase(practice);
  const before = addDays(TODAY, -20);
  const old = sides.map((each, index) => ({
    [`parties.${index}.side`]: each,
    [`parties.${index}.consentedOn`]: before,
    [`parties.${index}.respondedOn`]: before,
  }));
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: Object.assign({}, ...old) });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side };
  await practice.api.casework.addParty.mutate({ ...at(await fresh(theCase)), changeId: newId(), party });
  const led = leading(practice, theCase.id);
  await led.clear();
  await led.assess(2);
  await led.sign(2);
  return { led, theCase: await fresh(theCase) };
}

const due = async ({ id }: Case) => (await practice.api.casework.safetyDue.query({ id })).again;
const book = ({ id: caseId }: Case, partyIds: string[]) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { caseId, type: "mediation", partyIds, startsAt: nextSlot() }),
  );
let hour = 0;
const nextSlot = () => new Date(Date.UTC(2031, 4, 5) + (hour += 3) * 3_600_000).toISOString();
const start = ({ id: caseId }: Case, meetingId: string | null = null) =>
  practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId });
const counted = async ({ id: caseId }: Case) => [
  await MeetingModel.countDocuments({ ownerId: practice.ownerId, caseId, type: "mediation" }),
  await SessionModel.countDocuments({ ownerId: practice.ownerId, caseId }),
];

async function consentAnew(theCase: Case, index: number, consentedOn = TODAY) {
  const found = await fresh(theCase);
  const party = found.parties[index];
  if (!party) throw new Error("there is no such party");
  const { partyId, side, role, representativeContactIds } = party;
  await practice.api.casework.updateParty.mutate({
    ...at(found),
    partyId,
    side,
    role,
    representativeContactIds,
    consentedOn,
  });
}

test("casework.safetyDue: when somebody joined a mediation on a side of their own, then it says who is screened again, and nobody of the newcomer", async () => {
  const { theCase, led } = await joinedBy();
  expect(await due(theCase)).toEqual([AGAIN("P1"), AGAIN("P2")]);
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect((await blind.api.casework.safetyDue.query({ id: theCase.id })).again).toEqual([]);
  await led.screen(1);
  expect(await due(theCase)).toEqual([AGAIN("P1")]);
});

test("meetings.create and sessions.start: when those who would meet were screened before one of them joined, then they wait, and the two who knew each other do not", async () => {
  const { theCase, led } = await joinedBy();
  expect(await refusal(book(theCase, idsOf(theCase, 1, 2)))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: AGAIN("P2"),
  });
  expect(await counted(theCase)).toEqual([0, 0]);
  expect((await book(theCase, idsOf(theCase, 0, 1))).status).toBe("booked");
  await led.screen(1);
  const together = await book(theCase, idsOf(theCase, 1, 2));
  expect(await refusal(start(theCase, together.id))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: `${ANEW("P2")} ${WITHOUT}`,
  });
  expect(await counted(theCase)).toEqual([2, 0]);
  await consentAnew(theCase, 1);
  expect(await start(theCase, together.id)).toMatchObject({ status: "in_progress", unmet: [] });
});

test("sessions.start: when it was booked before the newcomer is in it, then the screening is looked at where it begins", async () => {
  const { theCase } = await joinedBy();
  await consentAnew(theCase, 0);
  await consentAnew(theCase, 1);
  expect(await refusal(start(theCase))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: `${AGAIN("P1")} ${AGAIN("P2")}`,
  });
  expect(await SessionModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(0);
});

test("a newcomer on somebody's own side: when they meet, then only the other side is asked again", async () => {
  const { theCase } = await joinedBy({ sides: ["Grandparents", ""], side: "grandparents" });
  expect(await due(theCase)).toEqual([AGAIN("P2")]);
  expect(await refusal(start(theCase))).toMatchObject({ message: `${ANEW("P2")} ${WITHOUT}` });
});

test("somebody who had come before the others were screened, and was entered after it: when they meet, then it says what is not known, not that they joined since", async () => {
  const { theCase } = await joinedBy();
  const { id: caseId } = theCase;
  const owned = { ownerId: practice.ownerId };
  await CaseModel.updateOne({ _id: caseId, ...owned }, { $set: { "parties.2.respondedOn": addDays(TODAY, -12) } });
  for (const partyId of idsOf(theCase, 0, 1))
    await ScreeningModel.updateMany({ ...owned, caseId, partyId }, { $set: { heldOn: addDays(TODAY, -9) } });
  const words = (label: string) =>
    `Screen ${label} again: P3 was entered here after the last screening, so it is not known that they were asked about them.`;
  expect(await due(theCase)).toEqual([words("P1"), words("P2")]);
});

test("casework.move: when somebody joined before mediation begins, then it waits for screenings and consents that know of them", async () => {
  const { theCase, led } = await joinedBy();
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: { status: "ready" } });
  const { items } = await practice.api.casework.steps.query({ id: theCase.id });
  expect(items.find(({ to }) => to === "in_mediation")?.blockers).toEqual([
    ANEW("P1"),
    ANEW("P2"),
    AGAIN("P1"),
    AGAIN("P2"),
  ]);
  expect(await refusal(led.move("in_mediation"))).toMatchObject({ code: "PRECONDITION_FAILED" });
  for (const index of [0, 1]) {
    await led.screen(index);
    await consentAnew(theCase, index);
  }
  await led.move("in_mediation");
  expect((await fresh(theCase)).status).toBe("in_mediation");
  expect(await due(theCase)).toEqual([]);
});

test("sessions.record: when they met before they were asked about the newcomer, then it is kept with what was missing", async () => {
  const { theCase } = await joinedBy();
  const joinedAt = new Date(Date.now() - 5 * 24 * 3_600_000);
  const earlier = addDays(TODAY, -3);
  const owned = { ownerId: practice.ownerId };
  const joined = { "parties.2.joinedAt": joinedAt, "parties.2.consentedOn": addDays(TODAY, -4) };
  const signed = Object.fromEntries(
    [0, 1, 2].map((index) => [`parties.${index}.agreementSignedOn`, addDays(TODAY, -4)]),
  );
  await CaseModel.updateOne({ _id: theCase.id, ...owned }, { $set: { ...joined, ...signed } });
  for (const [index, days] of [-20, -20, -4].entries()) {
    const heldOn = addDays(TODAY, days);
    const set = { heldOn, completedAt: new Date(`${heldOn}T10:00:00Z`) };
    await ScreeningModel.updateMany(
      { ...owned, caseId: theCase.id, partyId: idsOf(theCase, index)[0] ?? "" },
      { $set: set },
    );
  }
  const record = (unmetReason: string) =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: theCase.id,
      meetingId: null,
      startedAt: `${earlier}T10:00:00.000Z`,
      endedAt: `${earlier}T11:00:00.000Z`,
      unmetReason,
    });
  const { fields } = await refusal(record(""));
  for (const label of ["P1", "P2"]) {
    expect(fields?.unmetReason).toContain(`${label} had not been screened since P3 joined the case.`);
    expect(fields?.unmetReason).toContain(`${label} had not consented since P3 joined the case.`);
  }
  expect((await record("They had asked to go on")).unmet).toHaveLength(1);
});

test("a screening of the day on which somebody joined: when it was recorded before they did, then it is held again", async () => {
  const { theCase } = await joinedBy();
  const { partyId } = theCase.parties[1] ?? { partyId: "" };
  await practice.api.screenings.complete.mutate(aScreening(theCase, partyId, { heldOn: addDays(TODAY, -1) }));
  expect(await due(theCase)).toEqual([AGAIN("P1"), AGAIN("P2")]);
});

test("casework.safetyDue: of somebody who came weeks before they were entered, it is asked as of that day by whoever knew them", async () => {
  const { theCase } = await joinedBy();
  const screen = (index: number) =>
    practice.api.screenings.complete.mutate({
      ...aScreening(theCase, idsOf(theCase, index)[0] ?? ""),
      heldOn: addDays(TODAY, -9),
    });
  await ScreeningModel.updateMany(
    { ownerId: practice.ownerId, caseId: theCase.id, partyId: mongoose.trusted({ $in: idsOf(theCase, 0, 1) }) },
    { $set: { heldOn: addDays(TODAY, -40) } },
  );
  await screen(0);
  expect(await due(theCase)).toEqual([AGAIN("P1"), AGAIN("P2")]);
  const came = addDays(TODAY, -14);
  const days = { "parties.2.respondedOn": came, "parties.2.miamOn": came, "parties.2.agreementSignedOn": came };
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: days });
  // P1's was written down when they stood in the case; P2's is of before.
  expect(await due(theCase)).toEqual([AGAIN("P2")]);
  await screen(1);
  expect(await due(theCase)).toEqual([]);
  const day = addDays(TODAY, -5);
  const recorded = await refusal(
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: theCase.id,
      meetingId: null,
      startedAt: `${day}T10:00:00.000Z`,
      endedAt: `${day}T11:00:00.000Z`,
      unmetReason: "",
    }),
  );
  expect(JSON.stringify(recorded)).not.toContain("P3 was not in the case");
});

test("sessions.start: when the newcomer had answered weeks before they were entered, then consents from before they were entered are none to mediate with them, and those noted since are", async () => {
  const { theCase, led } = await joinedBy();
  const mine = { _id: theCase.id, ownerId: practice.ownerId };
  await CaseModel.updateOne(mine, { $set: { "parties.2.respondedOn": addDays(TODAY, -30) } });
  await led.screen(0);
  await led.screen(1);
  expect(await refusal(start(theCase))).toMatchObject({ message: `${ANEW("P1")} ${ANEW("P2")} ${WITHOUT}` });
  // They had been asked about them weeks ago, which was not noted then.
  for (const index of [0, 1]) await consentAnew(theCase, index, addDays(TODAY, -19));
  expect(await start(theCase)).toMatchObject({ status: "in_progress", unmet: [] });
});

test("sessions.record: when the newcomer answered and mediated on the day on whose evening they were entered, then they were in the case", async () => {
  const { theCase } = await joinedBy();
  const day = addDays(TODAY, -2);
  const came = { "parties.2.joinedAt": new Date(`${day}T20:40:00Z`), "parties.2.respondedOn": day };
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: came });
  const input = { startedAt: `${day}T18:00:00.000Z`, endedAt: `${day}T19:00:00.000Z`, unmetReason: "So it was" };
  const held = { id: newId(), caseId: theCase.id, meetingId: null, ...input };
  const { partyIds, unmet } = await practice.api.sessions.record.mutate(held);
  expect(partyIds).toEqual(idsOf(theCase, 0, 1, 2));
  expect(JSON.stringify(unmet)).not.toContain("P3 was not in the case");
});
