// Somebody in a case died: they did not withdraw, nobody writes to them, and the case goes on or ends by it.
import { HOUR_MS, now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { addDays } from "@app/shared/days";
import { richTextOf } from "@app/shared/rich-text";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { aScreening } from "../support/server/screened.ts";
import { aFamily, setChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, ledBy } from "../support/server/people.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const DIED = { to: "died" as const, on: TODAY, reason: "", confidences: null };

/** A meeting in this many hours. */
const tomorrow = (caseId: string, hours: number) =>
  aMeetingInput(practice.ownerId, {
    caseId,
    startsAt: new Date(now().getTime() + hours * HOUR_MS).toISOString(),
  });

test("casework.moveParty: whoever died is out, is not invited, and it was nobody's decision", async () => {
  const { api } = practice;
  const { theCase, p2, second } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { ...at(theCase), partyId: p2.partyId };
  const decided = api.casework.moveParty.mutate({ ...whose, ...DIED, isOwnDecision: true });
  expect(Object.keys((await refusal(decided)).fields)).toEqual(["isOwnDecision"]);
  const died = await api.casework.moveParty.mutate({ ...whose, ...DIED });
  expect(died.parties[1]).toMatchObject({ status: "died", leftAt: expect.any(String) });
  const letter = { channel: "post" as const, on: TODAY, wording: "Come", changeId: newId() };
  const invited = api.casework.inviteParty.mutate({ ...at(died), partyId: p2.partyId, ...letter });
  expect((await refusal(invited)).code).toBe("PRECONDITION_FAILED");
  const back = api.casework.moveParty.mutate({ ...at(died), partyId: p2.partyId, ...DIED, to: "responded" });
  expect((await refusal(back)).code).toBe("PRECONDITION_FAILED");
  const { items } = await api.timeline.list.query({ clientId: second.id });
  expect(items.map(({ text }) => text)).toContain("P2: Died");
  expect(items.map(({ text }) => text).join()).not.toMatch(/withdr/i);
  // It was somebody else of this name.
  const corrected = await api.casework.correct.mutate({ ...at(died), partyId: p2.partyId, reason: "A namesake" });
  expect(corrected.parties[1]).toMatchObject({ status: "to_invite", leftAt: null });
});

test("a case that never began mediation: after a death it is neither mediated nor reconciled, and a meeting of both is looked at and not reminded of", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const book = (type: "other" | "call", partyIds: string[], ahead: number) =>
    api.meetings.create.mutate({ ...tomorrow(theCase.id, ahead), type, partyIds });
  await book("other", [p1.partyId, p2.partyId], 20);
  const { id: meetingId } = await book("call", [p1.partyId], 40);
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  const fresh = () => api.cases.get.query({ id: theCase.id });
  const died = await api.casework.moveParty.mutate({ ...at(await fresh()), partyId: p2.partyId, ...DIED });
  const { items } = await api.tasks.list.query({ caseId: theCase.id });
  expect(items.map(({ title }) => title)).toEqual([expect.stringMatching(/^P2 died: look at the meeting of /)]);
  const start = api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  expect((await refusal(start)).message).toContain("At least two sides must take part first.");
  const end = async (ending: "reconciled" | "settled_themselves" | "died") =>
    api.casework.move.mutate({ ...at(await fresh()), to: "not_proceeding", ending, reason: "Their sister rang" });
  expect((await refusal(end("died"))).message).toBe("Session 1 is under way. End it first.");
  await api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
  for (const ending of ["reconciled", "settled_themselves"] as const)
    expect((await refusal(end(ending))).fields).toEqual({ ending: expect.stringContaining("P2 is recorded as died") });
  expect(await end("died")).toMatchObject({ status: "not_proceeding", ending: "died" });
  expect(died.status).toBe(theCase.status);
});

test("a mediation of tomorrow: when one of its two sides died, then nobody is asked to remind anybody of it", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const both = { type: "mediation" as const, partyIds: [p1.partyId, p2.partyId], isInvitationSent: true };
  await api.meetings.create.mutate({ ...tomorrow(theCase.id, 22), ...both });
  await api.casework.moveParty.mutate({
    ...at(await api.cases.get.query({ id: theCase.id })),
    partyId: p2.partyId,
    ...DIED,
  });
  await remindOfMeetings(createLogger("silent"));
  const { items } = await api.tasks.list.query({});
  expect(items.filter(({ title }) => title.startsWith("Nobody was reminded"))).toEqual([]);
});

test("a case that one death paused: its step is taken back with the death, and not without it", async () => {
  const { api } = practice;
  const { theCase, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED });
  expect(died.status).toBe("paused");
  const back = api.casework.correct.mutate({ ...at(died), partyId: "", reason: "Too early" });
  expect(await refusal(back)).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("because P2 left"),
  });
  const corrected = await api.casework.correct.mutate({ ...at(died), partyId: p2.partyId, reason: "A namesake" });
  expect(corrected).toMatchObject({ status: "in_mediation", parties: [{ status: "active" }, { status: "active" }] });
});

test("a death that is taken back after the case was concluded: they are done with it as the others are, and back in it with them", async () => {
  const { api } = practice;
  const { theCase, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED });
  const end = { to: "concluded" as const, reason: "Nothing is left", outcome: { ...OUTCOME, issues: [] } };
  const ended = await api.casework.move.mutate({ ...at(died), ...end });
  expect(ended.parties).toMatchObject([{ status: "done" }, { status: "died" }]);
  const living = await api.casework.correct.mutate({ ...at(ended), partyId: p2.partyId, reason: "A namesake" });
  expect(living).toMatchObject({
    status: "concluded",
    parties: [{ status: "done" }, { status: "done", leftAt: null }],
  });
  const back = await api.casework.correct.mutate({ ...at(living), partyId: "", reason: "They go on" });
  expect(back.parties).toMatchObject([{ status: "active" }, { status: "active" }]);
});

test("a case in mediation: when one of two sides died, then it is paused, ends by that, and no certificate says that they stopped", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED });
  expect(died.status).toBe("paused");
  const ending = { ending: "died" as const, reason: "Their sister rang", outcome: { ...OUTCOME, issues: [] } };
  const ended = await api.casework.move.mutate({ ...at(died), to: "terminated", ...ending });
  expect(ended).toMatchObject({ status: "terminated", ending: "died" });
  const { items } = await api.assessments.list.query({ caseId: theCase.id });
  const record = items.find(({ partyId }) => partyId === p1.partyId);
  const { statements } = await api.certificates.choices.query({ assessmentId: record?.id ?? "" });
  for (const statement of ["none_willing", "other_stops", "broken_down"])
    expect(statements.find((one) => one.statement === statement)).toMatchObject({ isAllowed: false });
});

test("a case that ends by a death: not before it, and why it is unusual is said in words", async () => {
  const { api } = practice;
  const { theCase, p2 } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: addDays(TODAY, -30) });
  const on = addDays(TODAY, -5);
  await metBefore(practice, theCase.id, on);
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED, on });
  const end = (endedOn: string, reason = "Their sister rang") =>
    api.casework.move.mutate({
      ...at(died),
      to: "terminated",
      ending: "died",
      reason,
      endedOn,
      outcome: { ...OUTCOME, issues: [] },
    });
  expect((await refusal(end(addDays(on, -1)))).fields).toEqual({
    endedOn: expect.stringContaining("Nobody had died by then"),
  });
  expect((await refusal(end(on, "."))).fields).toEqual({ reason: "Say why, in words" });
  expect(await end(on)).toMatchObject({ status: "terminated", concludedOn: on });
});

test("after the day on which somebody died nothing is recorded as done by them; before it, it is", async () => {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  await metBefore(practice, theCase.id, addDays(TODAY, -2));
  const before = await api.cases.get.query({ id: theCase.id });
  const died = { ...DIED, on: addDays(TODAY, -1) };
  const dead = await api.casework.moveParty.mutate({ ...at(before), partyId: p2.partyId, ...died });
  const told = (field: string) => ({ [field]: expect.stringContaining("P2 is recorded as dead since") });
  const { side, role, representativeContactIds } = before.parties[1] ?? p2;
  const attempts: [string, Promise<unknown>][] = [
    ["state", api.sessions.setAttendance.mutate({ ...change(), partyId: p2.partyId, state: "present" })],
    ["heldOn", api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...STILL_SAFE })],
    ["heldOn", api.screenings.complete.mutate(aScreening(dead, p2.partyId))],
    [
      "attendedOn",
      api.assessments.record.mutate(
        anAssessment({ caseId: theCase.id, partyId: p2.partyId, mediatorId: practice.ownerId }, { attendedOn: TODAY }),
      ),
    ],
  ];
  const refused = await Promise.all(attempts.map(([, attempt]) => refusal(attempt)));
  expect(refused.map(({ fields }) => fields)).toEqual(attempts.map(([field]) => told(field)));
  const consent = { side, role, representativeContactIds, partyId: p2.partyId };
  const wiped = await api.casework.updateParty.mutate({ ...at(dead), ...consent, consentedOn: addDays(TODAY, -2) });
  const late = api.casework.updateParty.mutate({ ...at(wiped), ...consent, consentedOn: TODAY });
  expect((await refusal(late)).fields).toEqual(told("consentedOn"));
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p1.partyId, state: "present" });
});

test("after the day on which somebody died they consent to nothing that lets things out; what they consented to before stands", async () => {
  const { api } = practice;
  const built = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: addDays(TODAY, -30) });
  const { theCase, p1, p2 } = built;
  const caseId = theCase.id;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const proposal = () => ({
    id,
    changeId: newId(),
    proposalId: newId(),
    issue: "Home",
    text: "A year",
    countersId: null,
  });
  const inConfidence = { scope: "mediator" as const, partyIds: [], aboutPartyIds: [p2.partyId] };
  const offer = { ...proposal(), byPartyId: p2.partyId, visibility: inConfidence, release: null };
  await api.sessions.addProposal.mutate(offer);
  const note = { id: newId(), kind: "file_note" as const, visibility: inConfidence, body: richTextOf("In confidence") };
  const noted = await api.sessions.addNote.mutate({ sessionId: id, note });
  const death = (on: string) => ({ ...DIED, partyId: p2.partyId, on });
  const now = () => api.cases.get.query({ id: caseId });
  const disclose = async (on: string) =>
    api.casework.recordDisclosure.mutate({
      ...at(await now()),
      disclosureId: newId(),
      what: "That they came",
      fileIds: [],
      to: [],
      hasReport: true,
      ground: {
        kind: "consents",
        consents: [p1, p2].map(({ partyId }) => ({ partyId, on, how: "In writing" })),
      },
    });
  await disclose(TODAY);
  await api.casework.moveParty.mutate({ ...at(await now()), ...death(TODAY) });
  expect(await api.sessions.courtReport.query({ id })).toMatchObject({ number: 1 });
  await api.casework.correct.mutate({ ...at(await now()), partyId: p2.partyId, reason: "Another day" });
  await metBefore(practice, caseId, addDays(TODAY, -1));
  await api.casework.moveParty.mutate({ ...at(await now()), ...death(addDays(TODAY, -1)) });
  expect(await refusal(api.sessions.courtReport.query({ id }))).toMatchObject({ code: "PRECONDITION_FAILED" });
  const told = (field: string) => ({ [field]: expect.stringContaining("P2 is recorded as dead since") });
  expect((await refusal(disclose(TODAY))).fields).toEqual(told("ground"));
  const consent = { grantedByPartyId: p2.partyId, at: new Date().toISOString(), how: "In writing" };
  const releases = [
    api.sessions.releaseProposal.mutate({
      id,
      changeId: newId(),
      proposalId: offer.proposalId,
      newProposalId: newId(),
      consent,
    }),
    api.notes.release.mutate({ id: noted.id, newId: newId(), body: richTextOf("Told"), consent }),
  ];
  for (const { fields } of await Promise.all(releases.map(refusal))) expect(fields).toEqual(told("consent.at"));
});

test("after the day on which somebody died neither they agree to contact nor consent that a child is heard", async () => {
  const { api } = practice;
  const { theCase, p1, cim } = await aFamily(practice, { startedOn: "2026-01-01" });
  const died = { ...DIED, partyId: p1.partyId, on: addDays(TODAY, -9) };
  const dead = await api.casework.moveParty.mutate({ ...at(await api.cases.get.query({ id: theCase.id })), ...died });
  const agreement = (on: string, { version }: { version: number }) =>
    api.casework.recordContactAgreement.mutate({
      id: theCase.id,
      version,
      partyId: p1.partyId,
      isAgreed: true,
      isNamed: false,
      on,
    });
  const told = (field: string) => ({ [field]: expect.stringContaining("P1 is recorded as dead since") });
  expect((await refusal(agreement(TODAY, dead))).fields).toEqual(told("on"));
  await agreement(addDays(TODAY, -9), dead);
  const [ofP1, ...others] = cim.parents;
  if (!ofP1) throw new Error("nobody consented");
  const consented = (on: string) => setChild(practice, theCase.id, { ...cim, parents: [{ ...ofP1, on }, ...others] });
  expect((await refusal(consented(TODAY))).fields).toEqual(told("children.0.cim.parents.0.on"));
  await consented(addDays(TODAY, -10));
  await setChild(practice, theCase.id, { ...cim, overrideReason: "What stood there before stays" });
});

test("a case in mediation: nobody was reconciled after a death, and may have been before it", async () => {
  const { api } = practice;
  const { theCase, p2 } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: addDays(TODAY, -30) });
  const on = addDays(TODAY, -5);
  await metBefore(practice, theCase.id, addDays(on, -1));
  const died = await api.casework.moveParty.mutate({ ...at(theCase), partyId: p2.partyId, ...DIED, on });
  const reconcile = (endedOn: string) =>
    api.casework.move.mutate({
      ...at(died),
      to: "concluded",
      reason: "They lived together again",
      endedOn,
      outcome: { ...OUTCOME, code: "reconciled", issues: [] },
    });
  expect((await refusal(reconcile(TODAY))).fields).toEqual({ code: expect.stringContaining("P2 had died by then") });
  expect(await reconcile(addDays(on, -1))).toMatchObject({ status: "concluded" });
});
