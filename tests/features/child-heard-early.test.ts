// A child is heard within mediation: not before it is agreed to, and not in a pause.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, bookChild, CONSENT, setChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

/** How far the case and its second parent have come. */
const standing = (caseId: string, status: CaseStatus, ofSecond: PartyStatus) =>
  mongoose.connection
    .collection<{ _id: string }>("cases")
    .updateOne({ _id: caseId }, { $set: { status, "parties.1.status": ofSecond } });

test.each<[CaseStatus, PartyStatus, string]>([
  ["enquiry", "active", "This case is an enquiry still"],
  ["paused", "active", "This case is paused"],
  ["assessing", "miam_booked", "Hold that of P2 first."],
  ["assessing", "suitable", "P2 must sign the agreement to mediate."],
])(
  "a meeting with a child: in a case that is %s, whose second parent is %s, is neither booked nor begun",
  async (status, ofSecond, says) => {
    const { theCase } = await aFamily(practice);
    const { id: meetingId } = await bookChild(practice, theCase.id);
    await standing(theCase.id, status, ofSecond);
    const refused = { code: "PRECONDITION_FAILED", message: expect.stringContaining(says) };
    expect(await refusal(bookChild(practice, theCase.id))).toMatchObject(refused);
    const begin = practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
    expect(await refusal(begin)).toMatchObject(refused);
  },
);

test("a meeting with a child: when everybody came to their first meeting and signed, is booked before mediation begins", async () => {
  const { theCase } = await aFamily(practice);
  await standing(theCase.id, "ready", "agreement_signed");
  expect(await bookChild(practice, theCase.id)).toMatchObject({ status: "booked" });
});

/** Their grandmother is added, and nobody heard of her yet whether she will mediate. */
async function withGrandmother(isHeld: boolean) {
  const { theCase, p1, p2, cim } = await aFamily(practice);
  const { api, ownerId } = practice;
  await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: { confidences: "none" } });
  const { id: clientId } = await api.clients.create.mutate(aClient());
  const { version } = await api.cases.get.query({ id: theCase.id });
  const party = { clientId, role: "participant" as const, side: "" };
  const joined = await api.casework.addParty.mutate({ id: theCase.id, version, changeId: newId(), party });
  await api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const partyId = joined.parties[2]?.partyId ?? "";
  for (const parent of [p1, p2]) await api.screenings.complete.mutate(aScreening(theCase, parent.partyId));
  const responsibility = [...cim.responsibility, { partyId, isHeld }];
  const parents = [...cim.parents, ...(isHeld ? [{ partyId, ...CONSENT }] : [])];
  await setChild(practice, theCase.id, { ...cim, responsibility, parents });
  return { theCase, partyId };
}

test.each(["to_invite", "invited", "responded"] as const)(
  "a meeting with a child: of parents who mediate, nobody waits for a grandmother who is “%s”",
  async (status) => {
    const { theCase } = await withGrandmother(false);
    const set = { $set: { "parties.2.status": status } };
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, set);
    expect(await bookChild(practice, theCase.id)).toMatchObject({ status: "booked" });
  },
);

test("a meeting with a child: whoever has parental responsibility is asked to come as far, though they do not mediate yet", async () => {
  const { theCase, partyId } = await withGrandmother(true);
  expect((await refusal(bookChild(practice, theCase.id))).message).toContain("P3");
  await practice.api.screenings.complete.mutate(aScreening(theCase, partyId));
  expect((await refusal(bookChild(practice, theCase.id))).message).toContain("Hold that of P3 first.");
});

/** A parent left, or mediation is over. */
const ENDS: [string, object][] = [
  ["a parent left", { status: "paused", "parties.1.status": "withdrawn", "parties.1.leftAt": new Date() }],
  ["it concluded", { status: "concluded" }],
  ["it was ended", { status: "terminated", ending: "broken_down" }],
];

test.each(ENDS)(
  "a meeting with a child: where %s, the last talk with one who was heard is booked, with every consent, and no other child is heard",
  async (_when, ended) => {
    const { theCase, cim } = await aFamily(practice);
    const { api, ownerId } = practice;
    const of = { _id: theCase.id, ownerId };
    const past = { startsAt: "2026-02-09T10:00:00.000Z", endsAt: "2026-02-09T11:00:00.000Z", allowsOverlap: true };
    const { id, version } = await bookChild(practice, theCase.id, past);
    await CaseModel.updateOne(of, { $set: ended });
    expect((await refusal(bookChild(practice, theCase.id))).message).toContain("who was not heard before");
    await api.meetings.setStatus.mutate({ id, version, to: "completed" });
    expect(await bookChild(practice, theCase.id)).toMatchObject({ status: "booked" });
    await setChild(practice, theCase.id, { ...cim, child: { state: "withdrawn", on: "2026-02-12" } });
    expect((await refusal(bookChild(practice, theCase.id))).message).toContain("withdrew consent");
    const { children } = await api.cases.get.query({ id: theCase.id });
    const mia = { ...children[0], childId: "mia", firstName: "Mia", cim };
    await CaseModel.updateOne(of, { $set: { children: [{ ...children[0], cim }, mia] } });
    const other = bookChild(practice, theCase.id, { childIds: ["mia"] });
    expect((await refusal(other)).message).toContain("who was not heard before");
  },
);

test("a meeting with a child: a last talk that is booked already is nobody’s task because mediation ended", async () => {
  const { theCase } = await aFamily(practice);
  const { api, ownerId } = practice;
  const held = await bookChild(practice, theCase.id, { startsAt: "2026-02-10T10:00:00.000Z", allowsOverlap: true });
  await api.meetings.setStatus.mutate({ id: held.id, version: held.version, to: "completed" });
  await bookChild(practice, theCase.id);
  await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: { "parties.1.status": "active" } });
  const { version, parties } = await api.cases.get.query({ id: theCase.id });
  const left = { partyId: parties[1]?.partyId ?? "", to: "withdrawn" as const, on: "2026-02-11", reason: "By mail" };
  await api.casework.moveParty.mutate({ id: theCase.id, version, ...left, isOwnDecision: true, confidences: null });
  const { items } = await api.tasks.list.query({ caseId: theCase.id });
  expect(items.filter(({ title }) => title.includes("Do not hold the meeting with a child"))).toEqual([]);
});

test("a meeting with a child: in a case that was reopened, nothing counts that was said of the child before", async () => {
  const { theCase, cim } = await aFamily(practice);
  const { api, ownerId } = practice;
  const over = { status: "concluded", ending: null, outcome: null, reason: "" };
  const round = { ...over, endedAt: new Date("2026-02-10T12:00:00Z"), concludedOn: "2026-02-10" };
  await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: { rounds: [round] } });
  const missing = async () => (await refusal(bookChild(practice, theCase.id))).message;
  expect(await missing()).toMatch(/consented for Leo before the case was reopened, so ask again; .* consented for Leo/);
  const anew = { ...CONSENT, on: "2026-02-12" };
  const parents = cim.parents.map((one) => ({ ...one, ...anew }));
  await setChild(practice, theCase.id, { ...cim, parents });
  expect(await missing()).toContain("Leo consented before the case was reopened, so ask again; Leo said before");
  const child = { state: "given" as const, on: "2026-02-12" };
  const voice = { offeredOn: "2026-02-12", outcome: "wants_to" as const };
  await setChild(practice, theCase.id, { ...cim, parents, child, voice });
  const { id } = await bookChild(practice, theCase.id);
  expect(await api.meetings.get.query({ id })).toMatchObject({ status: "booked" });
});

test("a meeting with a child: one of an earlier round, when it is recorded later, asks for the consents of that round", async () => {
  const { theCase } = await aFamily(practice);
  const past = { startsAt: "2026-02-09T10:00:00.000Z", endsAt: "2026-02-09T11:00:00.000Z", allowsOverlap: true };
  const { id, version } = await bookChild(practice, theCase.id, past);
  const over = { status: "concluded", ending: null, outcome: null, reason: "" };
  const round = { ...over, endedAt: new Date("2026-02-10T12:00:00Z"), concludedOn: "2026-02-10" };
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: { rounds: [round] } });
  expect(await practice.api.meetings.setStatus.mutate({ id, version, to: "completed" })).toMatchObject({
    status: "completed",
  });
});
