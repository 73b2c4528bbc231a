// What parties offer together, and what they accept: nothing that a side may not read.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { addDays } from "@app/shared/days";
import type { SessionAttendance } from "@app/shared/session-states";
import { JOINT } from "@app/shared/sessions";
import { caucusOf, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { cameTo } from "../support/server/came.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, aClient, aPractice } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
const sessionId = async () => {
  const session = { id: newId(), caseId: built.theCase.id, meetingId: null };
  return (await practice.api.sessions.create.mutate(session)).id;
};

const offer = async (visibility: Visibility, byPartyId: string) => (await offered(byPartyId, visibility)).move;

const came = (id: string, first: SessionAttendance, second: SessionAttendance | "") =>
  cameTo(practice, id, [[built.p1.partyId, first], ...(second ? [[built.p2.partyId, second] as const] : [])]);

async function offered(byPartyId: string, visibility: Visibility = SHARED) {
  const [id, proposalId] = [await sessionId(), newId()];
  const proposal = { issue: "Home", text: "Sell in spring", byPartyId, visibility, countersId: null, release: null };
  await practice.api.sessions.addProposal.mutate({ ...proposal, id, changeId: newId(), proposalId });
  await came(id, "present", "late");
  const move = (to: "agreed_in_principle" | "withdrawn") =>
    practice.api.sessions.setProposalStatus.mutate({ id, changeId: newId(), proposalId, to });
  const answer = (by: string) =>
    practice.api.sessions.setProposalStatus.mutate({
      id,
      changeId: newId(),
      proposalId,
      to: "agreed_in_principle",
      answer: { byPartyId: by, on: TODAY },
    });
  return { id, proposalId, move, answer };
}

const together = (...partyIds: string[]): Visibility => ({ scope: "party", partyIds, aboutPartyIds: [] });
const REFUSED = {
  code: "BAD_REQUEST",
  fields: { to: expect.stringContaining("Nobody accepts what they may not read") },
};

test.each(["one party", "a confidence", "the team", "the mediators"] as const)(
  "sessions.setProposalStatus: a proposal that only %s may read, when it is said to be accepted, then it is refused",
  async (who) => {
    const { partyId } = built.p1;
    const readers = {
      "one party": together(partyId),
      "a confidence": caucusOf(partyId),
      "the team": PRACTICE_ONLY,
      "the mediators": MEDIATOR_ONLY,
    };
    const move = await offer(readers[who], partyId);
    expect(await refusal(move("agreed_in_principle"))).toMatchObject(REFUSED);
    expect((await move("withdrawn")).proposals).toMatchObject([{ status: "withdrawn" }]);
  },
);

test("sessions.setProposalStatus: when one of each side may read a proposal, then it can be accepted", async () => {
  const { p1, p2 } = built;
  const move = await offer(together(p1.partyId, p2.partyId), p1.partyId);
  expect((await move("agreed_in_principle")).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
});

test("sessions.setProposalStatus: when everybody else has left, then nobody is there to accept what was offered", async () => {
  const { p1, p2 } = built;
  const offers = [together(p1.partyId), together(p1.partyId, p2.partyId), SHARED];
  const moves = await Promise.all(offers.map((readers) => offer(readers, p1.partyId)));
  await CaseModel.updateOne(
    { _id: built.theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.1.status": "withdrawn", "parties.1.leftAt": new Date() } },
  );
  for (const move of moves) expect(await refusal(move("agreed_in_principle"))).toMatchObject(REFUSED);
});

test("sessions.setProposalStatus: when two who signed agree beside somebody who was only added, then they need not show it to them", async () => {
  const { p1, p2, theCase } = built;
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId, role: "participant" as const, side: "" };
  await practice.api.casework.addParty.mutate({ id: theCase.id, version, changeId: newId(), party });
  const between = together(p1.partyId, p2.partyId);
  expect(await refusal((await offer(between, p1.partyId))("agreed_in_principle"))).toMatchObject(REFUSED);
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.0.agreementSignedOn": TODAY, "parties.1.agreementSignedOn": TODAY } },
  );
  const move = await offer(between, p1.partyId);
  expect((await move("agreed_in_principle")).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
  // Nor do they offer anything, alone or together with one of them.
  const added = (await practice.api.cases.get.query({ id: theCase.id })).parties[2]?.partyId ?? "";
  expect((await refusal(offer(SHARED, added))).fields).toEqual({
    byPartyId: expect.stringContaining("have not signed the agreement to mediate"),
  });
  expect((await refusal(offer(together(p1.partyId, added), JOINT))).fields).toHaveProperty("visibility");
  await offer(between, JOINT);
});

test("sessions.setProposalStatus: where three sides mediate, an offer is accepted once each of them has said so", async () => {
  const { p1, p2, theCase } = built;
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId, role: "participant" as const, side: "Grandparents" };
  await practice.api.casework.addParty.mutate({ id: theCase.id, version, changeId: newId(), party });
  await metBefore(practice, theCase.id);
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.2.joinedAt": null, "parties.$[].status": "agreement_signed" } },
  );
  const { id, move, answer } = await offered(p1.partyId);
  expect((await refusal(move("agreed_in_principle"))).fields).toEqual({
    to: expect.stringContaining("It is accepted once each side has said so, and P3 has not"),
  });
  expect((await refusal(answer(p2.partyId))).fields).toEqual({
    byPartyId: expect.stringContaining("It is accepted once each side has said so, and P3 has not"),
  });
  expect((await answer(JOINT)).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
  const third = (await practice.api.cases.get.query({ id: theCase.id })).parties[2]?.partyId ?? "";
  const next = await offered(p1.partyId);
  await cameTo(practice, next.id, [
    [p1.partyId, "present"],
    [p2.partyId, "present"],
    [third, "present"],
  ]);
  expect((await next.move("agreed_in_principle")).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
  expect(id).not.toBe(next.id);
});

test("sessions.addProposal: what is offered together, when a side could not read it, then it is refused at its readers", async () => {
  const { p1, p2 } = built;
  for (const readers of [caucusOf(p1.partyId), together(p2.partyId)])
    expect(await refusal(offer(readers, JOINT))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { visibility: expect.stringContaining("What is offered together") },
    });
  for (const readers of [SHARED, together(p1.partyId, p2.partyId), PRACTICE_ONLY]) await offer(readers, JOINT);
});

test.each([
  ["died", "recorded as dead"],
  ["withdrawn", "had left the case"],
] as const)(
  "sessions.addProposal: by somebody who %s before the session, then it is refused at who offers it",
  async (to, told) => {
    const { theCase, p1, p2 } = built;
    await metBefore(practice, theCase.id);
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const gone = { id: theCase.id, version, partyId: p1.partyId, to, on: addDays(TODAY, -3), reason: "So it is" };
    await practice.api.casework.moveParty.mutate(gone);
    expect(await refusal(offer(SHARED, p1.partyId))).toMatchObject({
      fields: { byPartyId: expect.stringContaining(told) },
    });
    await offer(SHARED, p2.partyId);
  },
);

test.each([
  ["the other side did not come", JOINT, "present", "no_show"],
  ["only the one who offers came", "P1", "present", "no_show"],
  ["nobody came", "P2", "no_show", "no_show"],
  ["nothing is recorded of the other side", "P1", "present", ""],
] as const)(
  "sessions.setProposalStatus: when %s, then an offer is not accepted in the session, and is by an answer with its day",
  async (_what, by, first, second) => {
    const [p1, p2] = [built.p1.partyId, built.p2.partyId];
    const byPartyId = { P1: p1, P2: p2, [JOINT]: JOINT }[by];
    const { id, move, answer } = await offered(byPartyId);
    await came(id, first, second);
    expect(await refusal(move("agreed_in_principle"))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { to: expect.stringContaining("Nobody who could accept it is recorded as there") },
    });
    expect((await answer(by === "P2" ? p1 : p2)).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
  },
);

test("sessions.setProposalStatus: when only somebody of the other side came, then they accept in the session what was offered to them", async () => {
  const { id, move } = await offered(built.p1.partyId);
  await came(id, "no_show", "present");
  expect((await move("agreed_in_principle")).proposals).toMatchObject([{ status: "agreed_in_principle" }]);
});

test("sessions.setAttendance: when an offer was accepted in the session, then whoever accepted it is not noted as absent until that is taken back", async () => {
  const { p1, p2 } = built;
  const { id, proposalId, move } = await offered(p1.partyId);
  await move("agreed_in_principle");
  const missed = () =>
    practice.api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: p2.partyId, state: "no_show" });
  expect(await refusal(missed())).toMatchObject({
    fields: { attendance: expect.stringContaining("noted as accepted here") },
  });
  const mistake = { id, changeId: newId(), proposalId, to: "offered" as const, mistake: "They had not come" };
  await practice.api.sessions.setProposalStatus.mutate(mistake);
  expect((await missed()).attendance).toMatchObject([{ state: "present" }, { state: "no_show" }]);
});
