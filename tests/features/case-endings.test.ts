import { newId } from "@app/server/core/ids";
import { outcomesOfTheirOwn, roundsOfSteps } from "@app/server/features/cases/case-outcomes.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { Outcome } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { AGREED, ending } from "../support/server/ending.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { signedBefore } from "../support/server/signed.ts";
import { at, DAY, OUTCOME, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { correct, decide, move, moveParty, standing } = stepping(practice);

const { fresh, start, hold, conclude, fund } = ending(practice);

async function mediated() {
  const { id } = await standing("in_mediation", ["active", "active"]);
  await signedBefore(practice, id);
  return practice.api.cases.get.query({ id });
}

/** Somebody joins who may meet the others, and has signed nothing. */
async function joins(theCase: Case): Promise<Case> {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  const { version } = await fresh(theCase);
  const joined = await practice.api.casework.addParty.mutate({ id: theCase.id, version, changeId: newId(), party });
  await decide(theCase.id);
  // The others are asked about them as well.
  await screened(joined, joined.parties);
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.2.status": "suitable" } },
  );
  return fresh(theCase);
}

describe("somebody who joined later", () => {
  test("a joint session: when they have signed nothing, then it is held without them", async () => {
    const joined = await joins(await mediated());
    const [p1, p2] = joined.parties;
    expect((await start(joined)).partyIds).toEqual([p1?.partyId, p2?.partyId]);
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

  test.each(["invited", "responded", "miam_booked", "miam_attended", "suitable"] as const)(
    "an agreement: when they are in “%s” and signed nothing, then the step that is advised can be taken, and leaves nobody to sign",
    async (status) => {
      const joined = await joins(await mediated());
      const { ownerId } = practice;
      await CaseModel.updateOne({ _id: joined.id, ownerId }, { $set: { "parties.2.status": status } });
      const { fields } = await refusal(conclude(joined, AGREED));
      const advised = [...String(fields["code"]).matchAll(/“(.+?)”/g)].map(([, name]) => name);
      expect(advised).toEqual(["Withdrawn"]);
      const gone = await moveParty(await fresh(joined), 2, "withdrawn");
      expect(String((await refusal(conclude(gone, AGREED))).fields["code"])).not.toContain("sign");
    },
  );
});

describe("an outcome", () => {
  test("an agreement: when no session of two sides was held, then only a settlement before one is recorded", async () => {
    const theCase = await mediated();
    expect(await refusal(conclude(theCase, AGREED))).toMatchObject({ fields: { code: expect.any(String) } });
    const settled = await conclude(theCase, { ...AGREED, code: "settled_before" });
    expect(settled.outcome).toMatchObject({ code: "settled_before" });
  });

  test("closing: when the session on which an agreement rests is struck since, then somebody says why it stands", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    await conclude(await fresh(theCase), AGREED);
    const of = { ownerId: practice.ownerId, caseId: theCase.id };
    await SessionModel.updateMany(of, { $set: { status: "struck" } });
    const close = async (reason: string) =>
      practice.api.casework.move.mutate({ ...at(await fresh(theCase)), to: "closed", reason });
    expect((await refusal(close(""))).fields).toEqual({ reason: expect.stringContaining("what its sessions say now") });
    expect(await close("It was noted in the wrong case, and is being written anew")).toMatchObject({
      status: "closed",
    });
  });

  test("an agreement: when the last session says otherwise, then somebody says why", async () => {
    const theCase = await mediated();
    await hold(theCase, "not_agreed");
    const { lastSession } = await practice.api.casework.steps.query({ id: theCase.id });
    expect(lastSession).toEqual({ number: 1, code: "not_agreed" });
    const told = expect.stringContaining("Session 1 says “No proposals reached”");
    expect(await refusal(conclude(theCase, AGREED))).toMatchObject({ fields: { reason: told } });
    const before = { ...AGREED, code: "settled_before" as const };
    expect(await refusal(conclude(theCase, before, "Why"))).toMatchObject({ fields: { code: expect.any(String) } });
    expect(await conclude(theCase, AGREED, "They agreed by letter a week later")).toMatchObject({
      reason: "They agreed by letter a week later",
      outcome: { code: "agreed_all", issues: AGREED.issues },
    });
  });

  test("an agreement: when one of two is found not safe afterwards, then somebody says why it ends so, or that nothing was agreed", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    const [first] = theCase.parties;
    await practice.api.screenings.complete.mutate(aScreening(theCase, first?.partyId ?? "", NOT_SAFE));
    const paused = await fresh(theCase);
    expect(paused.status).toBe("paused");
    await dismissEntries(practice.api, paused.id);
    expect(await refusal(conclude(paused, AGREED))).toMatchObject({
      fields: { reason: expect.any(String) },
    });
    const none = { ...AGREED, code: "not_agreed" as const, issues: [] };
    for (const outcome of [none, AGREED]) {
      const ended = await conclude(await fresh(theCase), outcome, "Found after all was written up");
      expect(ended).toMatchObject({ status: "concluded", outcome: { code: outcome.code } });
      await correct(ended);
    }
  });

  test("an agreement: when one of two was found not safe before the session, then nobody agreed with them in mediation", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    const [first] = theCase.parties;
    const { id } = await practice.api.screenings.complete.mutate(aScreening(theCase, first?.partyId ?? "", NOT_SAFE));
    await ScreeningModel.updateOne({ _id: id, ownerId: practice.ownerId }, { $set: { heldOn: addDays(TODAY, -1) } });
    expect(await refusal(conclude(await fresh(theCase), AGREED, "All agreed"))).toMatchObject({
      fields: { code: expect.stringContaining("not suitable") },
    });
  });

  test("an end: when no session of two sides was held, then no code is asked, though legal aid pays, and none is taken", async () => {
    const theCase = await fund(await mediated());
    expect(await practice.api.casework.steps.query({ id: theCase.id })).toMatchObject({ hasSession: false });
    const none: Outcome = { ...AGREED, code: "not_agreed", issues: [] };
    expect(await refusal(conclude(theCase, { ...none, laaCode: "B" }))).toMatchObject({
      fields: { laaCode: expect.stringContaining("no mediation to claim for") },
    });
    // Nobody met, so that nothing was agreed says little: whoever records it says how it came to that.
    expect((await refusal(conclude(theCase, none))).fields).toEqual({
      reason: "No session of two sides was held. Say why.",
    });
    const ended = await conclude(theCase, none, "They gave up before they met");
    expect(ended).toMatchObject({ status: "concluded", outcome: { code: "not_agreed", laaCode: "" } });
  });

  test("the day of an end: when mediation ended before it is recorded, then that day is kept, told, and stays with its round", async () => {
    const theCase = await mediated();
    const none = {
      ...at(theCase),
      to: "concluded" as const,
      reason: "They never met",
      outcome: { ...OUTCOME, issues: [] },
    };
    const ended = await practice.api.casework.move.mutate({ ...none, endedOn: DAY });
    expect(ended).toMatchObject({ concludedOn: DAY });
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
    expect(items.map(({ text }) => text)).toContainEqual(expect.stringContaining("mediation ended on 5 January 2026"));
    const back = await move(ended, "assessing");
    expect(back).toMatchObject({ concludedOn: "", rounds: [{ concludedOn: DAY }] });
  });

  test("the day of an end: when it is to come, before the case, before a session, or of no end, then it is refused", async () => {
    const theCase = await mediated();
    const end = (endedOn: string, to: "concluded" | "paused" = "concluded") =>
      practice.api.casework.move.mutate({
        ...at(theCase),
        to,
        reason: "So it is",
        outcome: to === "concluded" ? { ...OUTCOME, issues: [] } : null,
        endedOn,
      });
    const told = (text: string) => ({ fields: { endedOn: expect.stringContaining(text) } });
    expect(await refusal(end(DAY, "paused"))).toMatchObject(told("where a case ends"));
    expect(await refusal(end("2999-01-01"))).toMatchObject(told("in the future"));
    expect(await refusal(end("1999-01-01"))).toMatchObject(told("before the case was opened"));
    await hold(theCase, "not_agreed");
    expect(await refusal(end(DAY))).toMatchObject(told("Session 1 was held on"));
  });

  test("a code: when nobody has legal aid, then none is kept", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    const told = { fields: { laaCode: expect.stringContaining("Nobody who mediated has legal aid") } };
    expect(await refusal(conclude(theCase, { ...AGREED, laaCode: "S" }))).toMatchObject(told);
    expect((await conclude(theCase, AGREED)).outcome).toMatchObject({ laaCode: "" });
  });

  test("a code: when it is another than the kinds of the issues speak for, then somebody says why, and that is kept", async () => {
    const theCase = await fund(await mediated());
    await hold(theCase, "agreed_some");
    const issues: Outcome["issues"] = [
      { label: "Holidays", kind: "children", result: "agreed" },
      { label: "The house", kind: "property_finance", result: "not_agreed" },
    ];
    const some: Outcome = { ...AGREED, code: "agreed_some", laaCode: "B", issues };
    expect(await refusal(conclude(theCase, some))).toMatchObject({
      fields: { laaReason: expect.stringContaining("Say why") },
    });
    const reason = "The pension was agreed by letter";
    const kept = await conclude(theCase, { ...some, laaReason: reason });
    expect(kept.outcome).toMatchObject({ laaCode: "B", laaReason: reason, issues });
  });

  test("a code that is paid for: when both kinds were agreed in part, so that the issues speak for none, then somebody says why", async () => {
    const theCase = await fund(await mediated());
    await hold(theCase, "agreed_some");
    const issues: Outcome["issues"] = [
      { label: "Holidays", kind: "children", result: "agreed" },
      { label: "The house", kind: "property_finance", result: "partly" },
    ];
    const some: Outcome = { ...AGREED, code: "agreed_some", laaCode: "P", issues, isWrittenUp: true };
    expect(await refusal(conclude(theCase, some))).toMatchObject({
      fields: { laaReason: expect.stringContaining("Say why") },
    });
    const laaReason = "The agency’s answer of 4 March";
    const kept = await conclude(theCase, { ...some, laaReason }, "Sent by post");
    expect(kept.outcome).toMatchObject({ laaCode: "P", laaReason });
  });

  test("an issue: when what it is about is not said in a family case, then it is refused, and in another it may be", async () => {
    const untold = { ...AGREED, issues: [{ label: "The house", kind: "" as const, result: "agreed" as const }] };
    const family = await mediated();
    await hold(family, "agreed_all");
    expect(await refusal(conclude(family, untold))).toMatchObject({ fields: { issues: expect.any(String) } });
    const work = await standing("in_mediation", ["active", "active"], { domain: "workplace" });
    await hold(work, "agreed_all");
    expect((await conclude(work, untold)).outcome).toMatchObject({ issues: untold.issues });
  });

  test("issues of before: when nobody was asked what they are about, then they are read so", async () => {
    const ended = await move(await mediated(), "concluded");
    const issues = [{ label: "The house", result: "agreed" }];
    const cases = CaseModel.collection;
    await cases.updateOne(
      { caseRef: ended.caseRef, ownerId: practice.ownerId },
      { $set: { "outcome.issues": issues } },
    );
    const { outcome } = await fresh(ended);
    expect(outcome).toMatchObject({ issues: [{ label: "The house", kind: "", result: "agreed" }], laaReason: "" });
  });

  test("a breakdown: when legal aid pays, then its outcome and code are asked for and kept", async () => {
    const theCase = await fund(await mediated());
    await hold(theCase, "not_agreed");
    const end = (outcome: Outcome | null) =>
      practice.api.casework.move.mutate({
        ...at(theCase),
        to: "terminated",
        reason: "No way forward",
        ending: "broken_down",
        outcome,
      });
    const none: Outcome = {
      ...AGREED,
      code: "not_agreed",
      issues: [{ label: "The house", kind: "property_finance", result: "not_agreed" }],
    };
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
        to: "concluded",
        reason: "They settled it",
        outcome,
      });
    expect(await refusal(end({ ...settled, laaCode: "B" }))).toMatchObject({
      fields: { laaCode: expect.stringContaining("no mediation to claim for") },
    });
    expect((await end(settled)).outcome).toMatchObject({ code: "settled_before", laaCode: "" });
  });

  test.each(["reconciled", "settled_themselves"] as const)(
    "%s: when mediation had begun, then it is an outcome of a case that is concluded, and no breakdown",
    async (code) => {
      const theCase = await mediated();
      await hold(theCase, "not_agreed");
      const outcome = { ...AGREED, code, issues: [] };
      const end = { ...at(theCase), to: "terminated" as const, reason: "They are at one again" };
      const { move: send } = practice.api.casework;
      const breakdown = { ...end, ending: code, outcome: { ...outcome, code: "not_agreed" as const } };
      expect(await refusal(send.mutate(breakdown))).toMatchObject({
        fields: { ending: expect.stringContaining("did not break down") },
      });
      expect(await conclude(theCase, outcome)).toMatchObject({ status: "concluded", ending: null, outcome: { code } });
    },
  );

  test("outcomesOfTheirOwn: when a case ended before there were such outcomes, then it says what its end says", async () => {
    const theCase = await move(await mediated(), "terminated");
    const other = await move(await mediated(), "terminated");
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: { ending: "reconciled" } });
    for (let times = 0; times < 2; times += 1) await outcomesOfTheirOwn();
    expect((await fresh(theCase)).outcome).toMatchObject({ code: "reconciled" });
    expect((await fresh(other)).outcome).toMatchObject({ code: "not_agreed" });
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

  test("what was handed out: when it contradicts the outcome, then it is refused, and what is unusual is explained", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    const [first = "", second = ""] = theCase.parties.map(({ partyId }) => partyId);
    const made = { kind: "memorandum" as const, fileId: "", isMadeOutside: true };
    const given = (...partyIds: string[]) => [{ ...made, partyIds }];
    const unexplained = async (said: Partial<Outcome>) =>
      (await refusal(conclude(theCase, { ...AGREED, isWrittenUp: true, documents: given(first, second), ...said })))
        .fields;
    expect(await unexplained({ isWrittenUp: false })).toEqual({
      isWrittenUp: expect.stringContaining("so it was written up"),
    });
    expect(await unexplained({ documents: [] })).toEqual({ reason: expect.stringContaining("went to anybody") });
    expect(await unexplained({ documents: given(first) })).toEqual({ reason: expect.stringContaining("to some") });
    const untold: Outcome = { ...AGREED, isWrittenUp: true, documents: given(first, second), isAdviceTold: false };
    expect(await unexplained(untold)).toEqual({ reason: expect.stringContaining("legal advice") });
    const reason = "Their solicitors were in the room";
    expect(await conclude(theCase, untold, reason)).toMatchObject({ reason, outcome: { isAdviceTold: false } });
  });

  test("a summary: when somebody reads the case who mediates it not, then the results are told, and the summary is not", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    await conclude(theCase, { ...AGREED, narrative: "Heronsummary" });
    const colleague = await aStaffUser(app, practice);
    const { outcome } = await colleague.api.cases.get.query({ id: theCase.id });
    expect(outcome).toMatchObject({ issues: AGREED.issues, isWrittenUp: false, narrative: "" });
    expect((await fresh(theCase)).outcome).toMatchObject({ narrative: "Heronsummary" });
  });
});

describe("a case that comes back to mediation", () => {
  /** Everybody says again that they consent. */
  async function consent(theCase: Case): Promise<Case> {
    let now = await fresh(theCase);
    for (const { partyId, side, role, representativeContactIds } of now.parties) {
      const fields = { partyId, side, role, representativeContactIds, consentedOn: TODAY };
      now = await practice.api.casework.updateParty.mutate({ ...at(now), ...fields });
    }
    return now;
  }
  const sign = (theCase: Case, index: number, on: string) =>
    practice.api.casework.moveParty.mutate({
      ...at(theCase),
      partyId: theCase.parties[index]?.partyId ?? "",
      to: "agreement_signed",
      on,
      reason: "",
      confidences: theCase.confidences === null ? "kept" : null,
    });

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
    expect(await refusal(move(assessed, "ready"))).toMatchObject({
      message: "P1 and P2 consented before the case was reopened. Ask again, and record the consent with its new day.",
    });
    expect(await move(await consent(assessed), "ready")).toMatchObject({ status: "ready" });
  });

  test("concluded: when it comes back, then its first outcome is kept, everybody is screened and signs anew, and the next outcome stands beside it", async () => {
    const theCase = await mediated();
    await hold(theCase, "agreed_all");
    let back = await conclude(theCase, { ...AGREED, narrative: "Heronsummary" }, "All is settled");
    back = await move(back, "assessing");
    const first = { status: "concluded", ending: null, outcome: { code: "agreed_all", issues: AGREED.issues } };
    expect(back).toMatchObject({ outcome: null, concludedOn: "", rounds: [{ ...first, reason: "All is settled" }] });
    const colleague = await aStaffUser(app, practice);
    expect((await colleague.api.cases.get.query({ id: back.id })).rounds).toMatchObject([
      { outcome: { code: "agreed_all", narrative: "" } },
    ]);
    expect(await refusal(move(back, "ready"))).toMatchObject({
      message: expect.stringContaining("Screen P2 again: mediation ended since the last screening."),
    });
    for (const { partyId } of back.parties) await practice.api.screenings.complete.mutate(aScreening(back, partyId));
    back = await move(await consent(back), "ready");
    expect(await refusal(move(back, "in_mediation"))).toMatchObject({
      message: "P1 and P2 must sign the agreement to mediate.",
    });
    expect((await refusal(sign(back, 0, addDays(TODAY, -1)))).fields).toEqual({
      on: expect.stringContaining("before it was reopened"),
    });
    for (const index of [0, 1]) back = await sign(back, index, TODAY);
    back = await move(back, "in_mediation");
    expect(await refusal(conclude(back, AGREED))).toMatchObject({ fields: { code: expect.any(String) } });
    back = await move(back, "concluded");
    expect(back).toMatchObject({ outcome: { code: "not_agreed" }, rounds: [first] });
  });

  test("a round: when the case came back by mistake, then taking that back makes its end the one that stands", async () => {
    const ended = await move(await mediated(), "terminated");
    const { rounds, outcome } = await correct(await move(ended, "assessing"));
    expect({ rounds, outcome }).toEqual({ rounds: [], outcome: ended.outcome });
  });

  test("roundsOfSteps: when a case came back before its rounds were kept, then its steps say how it had ended, once", async () => {
    const closed = await move(await move(await mediated(), "concluded"), "closed");
    const back = await move(closed, "assessing");
    expect(back.rounds).toHaveLength(1);
    await CaseModel.updateMany({ ownerId: practice.ownerId }, { $unset: { rounds: "" } });
    for (let times = 0; times < 2; times += 1) await roundsOfSteps();
    expect((await fresh(back)).rounds).toEqual(back.rounds);
    expect((await fresh(await mediated())).rounds).toEqual([]);
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
