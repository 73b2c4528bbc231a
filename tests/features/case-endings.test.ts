import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Outcome } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { at, DAY, OUTCOME, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { decide, move, moveParty, standing } = stepping(practice);

const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const AGREED: Outcome = {
  ...OUTCOME,
  code: "agreed_all",
  issues: [{ label: "The house", result: "agreed" }],
  isWrittenUp: true,
  documents: [],
  isAdviceTold: true,
};
const LEGAL_AID = { type: "legal_aid", shareBp: 5000, payerContactId: "" } as const;

const mediated = () => standing("in_mediation", ["active", "active"]);
const fresh = ({ id }: Case) => practice.api.cases.get.query({ id });
const start = ({ id: caseId }: Case, meetingId: string | null = null) =>
  practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId });

/** A session of all who take part, from its start to its lock. */
async function hold(theCase: Case, code: SessionOutcomeCode): Promise<void> {
  const { id, partyIds } = await start(theCase);
  const { sessions } = practice.api;
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await sessions.update.mutate({ ...change(), outcome: { code, text: "" } });
  await sessions.move.mutate({ ...change(), to: "ended" });
  await sessions.move.mutate({ ...change(), to: "locked" });
}

const conclude = (theCase: Case, outcome: Outcome, reason = "") =>
  practice.api.casework.move.mutate({ ...at(theCase), to: "concluded", reason, outcome });

const fund = (theCase: Case) =>
  practice.api.casework.setFunding.mutate({
    ...at(theCase),
    parties: theCase.parties.map(({ partyId }) => ({ partyId, funding: LEGAL_AID })),
  });

/** Somebody joins who may meet the others, and has signed nothing. */
async function joins(theCase: Case): Promise<Case> {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  const { version } = await fresh(theCase);
  const joined = await practice.api.casework.addParty.mutate({ id: theCase.id, version, changeId: newId(), party });
  await decide(theCase.id);
  await screened(joined, joined.parties.slice(2));
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.2.status": "suitable" } },
  );
  return fresh(theCase);
}

describe("somebody who joined later", () => {
  test("a joint session: when they have signed nothing, then it does not begin with them, and does once they are out of it", async () => {
    const joined = await joins(await mediated());
    expect(await refusal(start(joined))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Record the consent of P3. P3 must sign the agreement to mediate."),
    });
    const without = await moveParty(joined, 2, "refused");
    expect((await start(without)).partyIds).toHaveLength(2);
  });

  test("a session that runs: when they come to it unsigned, then they are not let in, and nothing is agreed without them", async () => {
    const theCase = await mediated();
    const { id } = await start(theCase);
    const joined = await joins(theCase);
    const present = { id, changeId: newId(), partyId: joined.parties[2]?.partyId ?? "", state: "present" as const };
    const told = expect.stringContaining("P3 must sign the agreement to mediate.");
    expect(await refusal(practice.api.sessions.setAttendance.mutate(present))).toMatchObject({ message: told });
    await practice.api.sessions.update.mutate({ id, changeId: newId(), outcome: { code: "agreed_all", text: "" } });
    for (const { partyId } of theCase.parties)
      await practice.api.sessions.setAttendance.mutate({ ...present, changeId: newId(), partyId });
    expect(await refusal(conclude(joined, AGREED))).toMatchObject({ fields: { code: told } });
  });
});

describe("an outcome", () => {
  test("an agreement: when no session of two sides was held, then only a settlement before one is recorded", async () => {
    const theCase = await mediated();
    expect(await refusal(conclude(theCase, AGREED))).toMatchObject({ fields: { code: expect.any(String) } });
    const settled = await conclude(theCase, { ...AGREED, code: "settled_before" });
    expect(settled.outcome).toMatchObject({ code: "settled_before" });
  });

  test("an agreement: when the last session says otherwise, then somebody says why", async () => {
    const theCase = await mediated();
    await hold(theCase, "not_agreed");
    const { lastSession } = await practice.api.casework.steps.query({ id: theCase.id });
    expect(lastSession).toEqual({ number: 1, code: "not_agreed" });
    const told = expect.stringContaining("Session 1 says “Not agreed”");
    expect(await refusal(conclude(theCase, AGREED))).toMatchObject({ fields: { reason: told } });
    const before = { ...AGREED, code: "settled_before" as const };
    expect(await refusal(conclude(theCase, before, "Why"))).toMatchObject({ fields: { code: expect.any(String) } });
    expect(await conclude(theCase, AGREED, "They agreed by letter a week later")).toMatchObject({
      reason: "They agreed by letter a week later",
      outcome: { code: "agreed_all", issues: AGREED.issues },
    });
  });

  test("an agreement: when one of two is not safe, then nobody agreed with them in mediation", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    const [first] = theCase.parties;
    await practice.api.screenings.complete.mutate(aScreening(theCase, first?.partyId ?? "", NOT_SAFE));
    const paused = await fresh(theCase);
    expect(paused.status).toBe("paused");
    expect(await refusal(conclude(paused, AGREED))).toMatchObject({ fields: { code: expect.any(String) } });
    const none = { ...AGREED, code: "not_agreed" as const, issues: [] };
    expect(await conclude(paused, none, "Not safe any more")).toMatchObject({ status: "concluded" });
  });

  test("a breakdown: when legal aid pays, then its outcome and code are asked for and kept", async () => {
    const theCase = await fund(await mediated());
    const end = (outcome: Outcome | null) =>
      practice.api.casework.move.mutate({
        ...at(theCase),
        to: "terminated",
        reason: "No way forward",
        ending: "broken_down",
        outcome,
      });
    const none: Outcome = { ...AGREED, code: "not_agreed", issues: [{ label: "The house", result: "not_agreed" }] };
    expect(await refusal(end(null))).toMatchObject({ fields: { outcome: expect.any(String) } });
    expect(await refusal(end(none))).toMatchObject({ fields: { laaCode: expect.any(String) } });
    expect(await refusal(end({ ...AGREED, laaCode: "S" }))).toMatchObject({ fields: { code: expect.any(String) } });
    expect(await end({ ...none, laaCode: "B" })).toMatchObject({
      ending: "broken_down",
      outcome: { code: "not_agreed", laaCode: "B", issues: none.issues },
      concludedOn: expect.stringMatching(/^\d{4}-/),
    });
  });

  test("settled before a session: when legal aid pays, then there is nothing to claim for, and no code is taken", async () => {
    const theCase = await fund(await mediated());
    const settled: Outcome = { ...AGREED, code: "settled_before", issues: [] };
    const end = (outcome: Outcome) =>
      practice.api.casework.move.mutate({
        ...at(theCase),
        to: "terminated",
        reason: "They settled it",
        ending: "settled_themselves",
        outcome,
      });
    expect(await refusal(end({ ...settled, laaCode: "B" }))).toMatchObject({
      fields: { laaCode: expect.stringContaining("no mediation to claim for") },
    });
    expect((await end(settled)).outcome).toMatchObject({ code: "settled_before", laaCode: "" });
  });

  test("a step that is no end: when an outcome or an ending comes with it, then it is refused, and not left out", async () => {
    const theCase = await mediated();
    const pause = { ...at(theCase), to: "paused" as const, reason: "They wait" };
    const { move: send } = practice.api.casework;
    expect(await refusal(send.mutate({ ...pause, outcome: AGREED }))).toMatchObject({
      fields: { outcome: expect.any(String) },
    });
    expect(await refusal(send.mutate({ ...pause, ending: "court" }))).toMatchObject({
      fields: { ending: expect.any(String) },
    });
  });

  test("legal aid: when it pays only since the end, then a task asks for the agency's code", async () => {
    const ended = await move(await mediated(), "concluded");
    await fund(ended);
    const { items } = await practice.api.tasks.list.query({ caseId: ended.id, page: 1 });
    expect(items.map(({ title }) => title)).toContainEqual(expect.stringContaining(`Legal aid pays for case`));
  });

  test("a summary: when somebody reads the case who mediates it not, then the results are told, and the summary is not", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    await conclude(theCase, { ...AGREED, narrative: "Heronsummary" });
    const colleague = await aStaffUser(app, practice);
    const { outcome } = await colleague.api.cases.get.query({ id: theCase.id });
    expect(outcome).toMatchObject({ issues: AGREED.issues, isWrittenUp: true, narrative: "" });
    expect((await fresh(theCase)).outcome).toMatchObject({ narrative: "Heronsummary" });
  });
});

describe("a case that comes back to mediation", () => {
  test("sent back by the court: when its parties were screened before, then they are screened anew before it is ready", async () => {
    const sentBack = await move(await move(await mediated(), "terminated"), "assessing");
    expect(sentBack.parties.map(({ status }) => status)).toEqual(["miam_attended", "miam_attended"]);
    const told = "Screen P1 again: mediation ended since the last screening.";
    expect(await refusal(moveParty(sentBack, 0, "suitable"))).toMatchObject({ message: told });
    expect(await refusal(move(sentBack, "ready"))).toMatchObject({ message: expect.stringContaining(told) });
    for (const { partyId } of sentBack.parties)
      await practice.api.screenings.complete.mutate(aScreening(sentBack, partyId));
    const assessed = await fresh(sentBack);
    expect(assessed.parties.map(({ status }) => status)).toEqual(["suitable", "suitable"]);
    expect(await move(assessed, "ready")).toMatchObject({ status: "ready" });
  });

  test("concluded: when it is opened again, then its parties are screened anew", async () => {
    const ended = await move(await mediated(), "concluded");
    expect(await refusal(move(ended, "in_mediation"))).toMatchObject({
      message: expect.stringContaining("Screen P2 again: mediation ended since the last screening."),
    });
  });

  test("sent back: when somebody signed before, and is found not safe and safe again, then they sign anew", async () => {
    const theCase = await mediated();
    const signed = { "parties.0.agreementSignedOn": DAY, "parties.0.miamOn": DAY };
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: signed });
    const sentBack = await move(await move(theCase, "terminated"), "assessing");
    const partyId = sentBack.parties[0]?.partyId ?? "";
    await practice.api.screenings.complete.mutate(aScreening(sentBack, partyId, NOT_SAFE));
    await practice.api.screenings.complete.mutate(aScreening(sentBack, partyId));
    expect((await fresh(sentBack)).parties[0]).toMatchObject({ status: "suitable" });
  });
});

describe("somebody who is not safe", () => {
  const bothOf = ({ parties }: Case) => parties.map(({ partyId }) => partyId);
  const book = (theCase: Case, type: "mediation" | "miam", partyIds: string[], hour: number) =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        type,
        partyIds,
        startsAt: `2031-05-06T0${hour}:00:00.000Z`,
      }),
    );

  test("the other one: when they come alone, then it is no session but an individual meeting, and what was booked is not confirmed", async () => {
    const theCase = await mediated();
    const [first = "", second = ""] = bothOf(theCase);
    await book(theCase, "mediation", [first, second], 8);
    const meetingsOf = async (partyId: string) => {
      const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
      return items.filter(({ kind }) => kind === "meeting").map(({ detail }) => detail);
    };
    expect(await meetingsOf(second)).toEqual([expect.not.stringContaining("Not confirmed")]);
    await practice.api.screenings.complete.mutate(aScreening(theCase, first, NOT_SAFE));
    expect(await meetingsOf(second)).toEqual([expect.stringContaining("Not confirmed")]);
    expect(await refusal(start(theCase))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Book an individual meeting instead."),
    });
    const { id } = await book(theCase, "miam", [second], 5);
    expect(await start(theCase, id)).toMatchObject({ status: "in_progress", partyIds: [second] });
  });
});

test("a withdrawal: when it is said whose decision it was, then the party keeps it, and nothing else takes it", async () => {
  const theCase = await standing("assessing", ["suitable", "suitable"]);
  const leave = { ...at(theCase), partyId: theCase.parties[1]?.partyId ?? "", on: DAY, reason: "So it is" };
  const { moveParty: send } = practice.api.casework;
  expect(await refusal(send.mutate({ ...leave, to: "no_response", isOwnDecision: true }))).toMatchObject({
    fields: { isOwnDecision: expect.any(String) },
  });
  const left = await send.mutate({ ...leave, to: "withdrawn", isOwnDecision: false });
  expect(left.parties[1]).toMatchObject({ status: "withdrawn", lastStep: { isOwnDecision: false } });
});
