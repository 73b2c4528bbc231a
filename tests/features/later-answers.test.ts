// What becomes of an offer after its session was locked: it is answered on a day of its own, and the minutes stay as they are.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { addDays } from "@app/shared/days";
import { JOINT } from "@app/shared/sessions";
import { caucusOf, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { allCame } from "../support/server/came.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
const HELD = addDays(TODAY, -5);
const LATER = addDays(TODAY, -2);

/** An offer of the first party in a session that is locked since. */
async function offered(visibility: Visibility = SHARED) {
  const { api, ownerId } = practice;
  const { p1, p2, theCase } = built;
  const { id } = await api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const proposalId = newId();
  const change = () => ({ id, changeId: newId() });
  const offer = { issue: "Home", byPartyId: p1.partyId, visibility, countersId: null, release: null };
  await api.sessions.addProposal.mutate({ ...offer, ...change(), proposalId, text: "Sell in spring" });
  const at = (status: string) =>
    SessionModel.updateOne({ _id: id, ownerId }, { $set: { status, startedAt: new Date(`${HELD}T10:00:00Z`) } });
  await at("locked");
  type Input = Parameters<typeof api.sessions.setProposalStatus.mutate>[0];
  const answer = (to: Input["to"], byPartyId: string, on = LATER) =>
    api.sessions.setProposalStatus.mutate({ ...change(), proposalId, to, answer: { byPartyId, on } });
  const counter = (on: string | null, countersId: string | null = proposalId) =>
    api.sessions.addProposal.mutate({
      ...change(),
      ...offer,
      byPartyId: p2.partyId,
      proposalId: newId(),
      text: "Sell in autumn",
      countersId,
      on,
    });
  return { api, id, p1, p2, proposalId, change, at, answer, counter };
}

test("sessions.setProposalStatus: when an offer is accepted after the lock, then who, when and who noted it stand beside it, and the session stays locked", async () => {
  const { answer, p2 } = await offered();
  const { status, amendments, proposals } = await answer("agreed_in_principle", p2.partyId);
  expect({ status, amendments }).toEqual({ status: "locked", amendments: [] });
  expect(proposals).toMatchObject([
    {
      status: "agreed_in_principle",
      history: [
        { status: "offered", answer: null },
        { status: "agreed_in_principle", byName: "Ines Marchbank", answer: { byPartyId: p2.partyId, on: LATER } },
      ],
    },
  ]);
});

test("sessions.setProposalStatus: when somebody withdraws after the lock what they offered or accepted, then it is withdrawn, and not by the others", async () => {
  const first = await offered();
  expect(await refusal(first.answer("withdrawn", first.p2.partyId))).toMatchObject({
    fields: { byPartyId: expect.stringContaining("Whoever made an offer") },
  });
  expect((await first.answer("withdrawn", first.p1.partyId)).proposals).toMatchObject([{ status: "withdrawn" }]);
  const second = await offered();
  await second.answer("agreed_in_principle", JOINT);
  expect(await refusal(second.answer("withdrawn", second.p2.partyId, addDays(LATER, -1)))).toMatchObject({
    fields: { on: expect.stringContaining("or a later one") },
  });
  expect((await second.answer("withdrawn", second.p2.partyId)).proposals).toMatchObject([{ status: "withdrawn" }]);
});

test("sessions.addProposal: when an offer is answered by another after the lock, then both stand with the day, and no new offer is taken", async () => {
  const { counter, p2 } = await offered();
  expect(await refusal(counter(null))).toMatchObject({ fields: { on: expect.stringContaining("locked") } });
  expect(await refusal(counter(null, null))).toMatchObject({ code: "PRECONDITION_FAILED" });
  const said = { byPartyId: p2.partyId, on: LATER };
  expect((await counter(LATER)).proposals).toMatchObject([
    { status: "countered", history: [{ answer: null }, { answer: said }] },
    { status: "offered", text: "Sell in autumn", history: [{ answer: said }] },
  ]);
});

test("sessions.releaseProposal: when its party consents after the lock, then it is shared, and accepted by its rules", async () => {
  const { api, change, proposalId, p1, p2, answer } = await offered(caucusOf(built.p1.partyId));
  expect(await refusal(answer("agreed_in_principle", p2.partyId))).toMatchObject({
    fields: { to: expect.stringContaining("may not read") },
  });
  const consent = { grantedByPartyId: p1.partyId, at: new Date().toISOString(), how: "By phone" };
  const newProposalId = newId();
  await api.sessions.releaseProposal.mutate({ ...change(), proposalId, newProposalId, consent });
  const said = { to: "agreed_in_principle" as const, answer: { byPartyId: p2.partyId, on: TODAY } };
  const { proposals } = await api.sessions.setProposalStatus.mutate({
    ...change(),
    proposalId: newProposalId,
    ...said,
  });
  expect(proposals).toMatchObject([
    { status: "offered" },
    { status: "agreed_in_principle", releasedFromId: proposalId },
  ]);
});

test("sessions.setProposalStatus: an answer after the lock, when it has no day, a wrong one, or nobody to give it, then it is refused", async () => {
  const { api, answer, change, proposalId, p1, p2, at } = await offered();
  const undated = { ...change(), proposalId, to: "agreed_in_principle" as const };
  const on = { on: expect.any(String) };
  expect((await refusal(api.sessions.setProposalStatus.mutate(undated))).fields).toEqual(on);
  expect((await refusal(answer("agreed_in_principle", p2.partyId, addDays(HELD, -1)))).fields).toEqual(on);
  expect((await refusal(answer("agreed_in_principle", p2.partyId, addDays(TODAY, 2)))).fields).toEqual(on);
  expect(await refusal(answer("agreed_in_principle", p1.partyId))).toMatchObject({
    fields: { byPartyId: expect.stringContaining("their own offer") },
  });
  expect(await refusal(answer("agreed_in_principle", newId()))).toMatchObject({ code: "NOT_FOUND" });
  await at("cancelled");
  expect(await refusal(answer("agreed_in_principle", p2.partyId))).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("sessions.releaseProposal: what its party has taken back is not released", async () => {
  const { api, change, proposalId, p1, answer } = await offered(caucusOf(built.p1.partyId));
  const consent = { grantedByPartyId: p1.partyId, at: new Date().toISOString(), how: "By phone" };
  await answer("withdrawn", p1.partyId);
  const released = api.sessions.releaseProposal.mutate({ ...change(), proposalId, newProposalId: newId(), consent });
  expect(await refusal(released)).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("taken this back"),
  });
});

test("sessions.setProposalStatus: who was only added, or had left by then, does not answer an offer after the lock", async () => {
  const { p2, answer } = await offered();
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const fresh = async () => practice.api.cases.get.query({ id: built.theCase.id });
  const { id, version } = await fresh();
  const party = { clientId, role: "participant" as const, side: "" };
  const joined = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
  const signed = { "parties.0.agreementSignedOn": HELD, "parties.1.agreementSignedOn": HELD };
  await CaseModel.updateOne({ _id: id, ownerId: practice.ownerId }, { $set: signed });
  const NOT_THERE = { fields: { byPartyId: expect.stringContaining("left the case by then, or never signed") } };
  expect(await refusal(answer("agreed_in_principle", joined.parties[2]?.partyId ?? ""))).toMatchObject(NOT_THERE);
  const step = { partyId: p2.partyId, to: "withdrawn" as const, on: LATER, reason: "No more", isOwnDecision: true };
  await practice.api.casework.moveParty.mutate({ id, version: (await fresh()).version, ...step });
  expect(await refusal(answer("agreed_in_principle", p2.partyId, TODAY))).toMatchObject(NOT_THERE);
  expect(await refusal(answer("agreed_in_principle", JOINT, TODAY))).toMatchObject({
    fields: { byPartyId: expect.stringContaining("Only one side was left") },
  });
  expect((await answer("agreed_in_principle", p2.partyId, LATER)).proposals).toMatchObject([
    { status: "agreed_in_principle" },
  ]);
});

test("sessions: what a session of an earlier day is said to have heard of somebody who left since, when it is noted, then it goes by that day", async () => {
  const { api, id, change, proposalId, p2, at } = await offered();
  await at("ended");
  const { version } = await api.cases.get.query({ id: built.theCase.id });
  const step = { partyId: p2.partyId, to: "withdrawn" as const, on: LATER, reason: "No more", isOwnDecision: true };
  await api.casework.moveParty.mutate({ id: built.theCase.id, version, ...step });
  await allCame(practice, id, [built.p1, p2]);
  const accepted = { ...change(), proposalId, to: "agreed_in_principle" as const };
  expect((await api.sessions.setProposalStatus.mutate(accepted)).proposals).toMatchObject([
    { status: "agreed_in_principle" },
  ]);
  const offer = { issue: "Car", byPartyId: p2.partyId, visibility: SHARED, countersId: null, release: null };
  const said = { ...offer, ...change(), text: "Sell the car" };
  await api.sessions.addProposal.mutate({ ...said, proposalId: newId() });
  await SessionModel.updateOne(
    { _id: id, ownerId: practice.ownerId },
    { $set: { attendance: [], startedAt: new Date(`${addDays(LATER, 1)}T10:00:00Z`) } },
  );
  expect(
    (await refusal(api.sessions.addProposal.mutate({ ...said, ...change(), proposalId: newId() }))).fields,
  ).toEqual({
    byPartyId: expect.stringContaining("had left the case by then"),
  });
  const together = { ...said, ...change(), byPartyId: JOINT, proposalId: newId() };
  expect((await refusal(api.sessions.addProposal.mutate(together))).fields).toEqual({
    byPartyId: expect.stringContaining("Only one side was left"),
  });
});

test("sessions.setProposalStatus: when it was noted in error that an offer was accepted, then whoever mediates takes that back, with the reason beside it", async () => {
  const { api, answer, change, proposalId, p2 } = await offered();
  await answer("agreed_in_principle", p2.partyId, TODAY);
  const mistake = "The wrong row";
  const input = { proposalId, to: "offered" as const };
  const takeBack = (by: Pick<typeof practice, "api">, words = mistake) =>
    by.api.sessions.setProposalStatus.mutate({ ...change(), ...input, mistake: words });
  const colleague = await aStaffUser(app, practice);
  expect(await refusal(takeBack(colleague))).toMatchObject({ code: "FORBIDDEN" });
  expect((await refusal(takeBack(practice, "."))).fields).toEqual({ mistake: expect.stringContaining("in words") });
  const answered = { ...change(), ...input, mistake, answer: { byPartyId: p2.partyId, on: TODAY } };
  expect((await refusal(api.sessions.setProposalStatus.mutate(answered))).fields).toHaveProperty("mistake");
  expect((await takeBack(practice)).proposals).toMatchObject([
    {
      status: "offered",
      history: [
        { status: "offered" },
        { status: "agreed_in_principle", answer: { on: TODAY }, mistake: "" },
        { status: "offered", byName: "Ines Marchbank", answer: null, mistake },
      ],
    },
  ]);
  expect(await refusal(takeBack(practice))).toMatchObject({ code: "PRECONDITION_FAILED" });
  // What nobody said bounds no later answer.
  expect((await answer("agreed_in_principle", p2.partyId, LATER)).proposals).toMatchObject([
    { status: "agreed_in_principle" },
  ]);
});
