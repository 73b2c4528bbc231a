import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import { CASE_TRANSITIONS } from "@app/shared/case-transitions";
import type { Case, CaseFields } from "@app/shared/cases";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { TODAY } from "../support/server/led.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const DAY = "2026-01-05";
const OUTCOME = {
  code: "settled_before",
  laaCode: "",
  laaReason: "",
  issues: [],
  isWrittenUp: true,
  narrative: "",
} as const;

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const move = (theCase: Case, to: Case["status"], reason = "") =>
  practice.api.casework.move.mutate({
    id: theCase.id,
    version: theCase.version,
    to,
    reason,
    ending: to === "not_proceeding" || to === "terminated" ? "other" : null,
    outcome: to === "concluded" ? { ...OUTCOME, issues: [] } : null,
  });

async function partySteps(theCase: Case, index: number, steps: PartyStatus[]): Promise<Case> {
  let current = theCase;
  for (const to of steps) {
    current = await practice.api.casework.moveParty.mutate({
      id: current.id,
      version: current.version,
      partyId: current.parties[index]?.partyId ?? "",
      to,
      on: DAY,
      reason: "",
      confidences: to === "agreement_signed" ? "none" : null,
    });
  }
  return current;
}

const consent = (theCase: Case, index: number) => {
  const party = theCase.parties[index];
  if (!party) throw new Error("no such party");
  return practice.api.casework.updateParty.mutate({
    id: theCase.id,
    version: theCase.version,
    partyId: party.partyId,
    side: "",
    role: party.role,
    consentedOn: DAY,
    representativeContactIds: [],
  });
};

const TO_ATTENDED: PartyStatus[] = ["responded", "intake_done", "miam_booked", "miam_attended"];

describe("create", () => {
  test("casework.create: the practice's numbering counts up, and every party has a label and an equal share", async () => {
    const { theCase } = await aCase(practice);
    const next = await aCase(practice);
    const numberOf = (one: Case) => Number(one.caseRef.slice(-4));
    expect(numberOf(next.theCase)).toBe(numberOf(theCase) + 1);
    expect(theCase.parties.map(({ label, status, funding }) => [label, status, funding.shareBp])).toEqual([
      ["P1", "to_invite", 5000],
      ["P2", "to_invite", 5000],
    ]);
    expect(theCase.waitingFor).toBe("practice");
  });

  test("casework.create: 20 at once get 20 different numbers", async () => {
    const own = await aPractice(app);
    const client = await own.api.clients.create.mutate(aClient());
    const made = await Promise.all(
      Array.from({ length: 20 }, () => own.api.casework.create.mutate(aCaseInput([client.id]))),
    );
    expect(new Set(made.map(({ caseRef }) => caseRef)).size).toBe(20);
  });

  test("casework.create: a reference that another case has is refused at its field", async () => {
    const { theCase, first } = await aCase(practice);
    expect(
      await refusal(practice.api.casework.create.mutate(aCaseInput([first.id], { caseRef: theCase.caseRef }))),
    ).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("casework.create: another practice's client looks missing", async () => {
    const other = await aPractice(app);
    const foreign = await other.api.clients.create.mutate(aClient());
    expect(await refusal(practice.api.casework.create.mutate(aCaseInput([foreign.id])))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("the state machines", () => {
  test("casework.move: an illegal step is refused with the legal ones", async () => {
    const { theCase } = await aCase(practice);
    expect(await refusal(move(theCase, "in_mediation"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: 'A case in "Enquiry" can only move to: Intake, Not proceeding.',
    });
  });

  test("casework.moveParty: an illegal step is refused with the legal ones, a day in the future at its field", async () => {
    const { theCase, p1 } = await aCase(practice);
    const step = { id: theCase.id, version: theCase.version, partyId: p1.partyId, on: DAY, reason: "" };
    expect(await refusal(practice.api.casework.moveParty.mutate({ ...step, to: "suitable" }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: 'A party in "Not invited yet" can only move to: Responded, Refused, Withdrawn, Died.',
    });
    expect(
      await refusal(practice.api.casework.moveParty.mutate({ ...step, to: "responded", on: "2999-01-01" })),
    ).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a whole case: each gate holds until what it asks for is there", async () => {
    let { theCase } = await aCase(practice, {}, { isScreened: false, isCleared: false, isAgreed: false });
    expect(await refusal(move(theCase, "intake"))).toMatchObject({
      message: expect.stringContaining("conflict check"),
    });
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
    theCase = await move(theCase, "intake");
    theCase = await partySteps(theCase, 0, TO_ATTENDED);
    theCase = await move(theCase, "awaiting_second_party");
    expect(theCase.waitingFor).toBe("practice");
    const inviteSecond = (on = DAY) =>
      practice.api.casework.inviteParty.mutate({
        changeId: newId(),
        id: theCase.id,
        version: theCase.version,
        partyId: theCase.parties[1]?.partyId ?? "",
        channel: "email",
        on,
        wording: "A mail from another program",
      });
    expect(await refusal(inviteSecond(TODAY))).toMatchObject({
      message: "Record whether P1 agrees that the others are contacted. Complete the screening of P1.",
    });
    expect(await refusal(partySteps(theCase, 0, ["suitable"]))).toMatchObject({
      message: "Complete the screening of P1.",
    });
    const first = theCase.parties[0]?.partyId ?? "";
    await practice.api.screenings.complete.mutate(aScreening(theCase, first));
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const said = { partyId: first, isAgreed: true, isNamed: false, on: DAY };
    theCase = await practice.api.casework.recordContactAgreement.mutate({ id, version, ...said });
    theCase = await inviteSecond();
    expect(theCase.waitingFor).toBe(theCase.parties[1]?.partyId);
    theCase = await partySteps(theCase, 1, TO_ATTENDED);
    theCase = await move(theCase, "assessing");
    const unscreened = "Complete the screening of P2.";
    expect(await refusal(move(theCase, "ready"))).toMatchObject({
      message: `Record the consent of P1 and P2. ${unscreened}`,
    });
    theCase = await consent(await consent(theCase, 0), 1);
    expect(await refusal(move(theCase, "ready"))).toMatchObject({ message: unscreened });
    await practice.api.screenings.complete.mutate(aScreening(theCase, theCase.parties[1]?.partyId ?? ""));
    theCase = await move(await practice.api.cases.get.query({ id: theCase.id }), "ready");
    expect(await refusal(move(theCase, "in_mediation"))).toMatchObject({
      message: "P1 and P2 must sign the agreement to mediate.",
    });
    theCase = await partySteps(theCase, 0, ["agreement_signed"]);
    theCase = await partySteps(theCase, 1, ["agreement_signed"]);
    theCase = await move(theCase, "in_mediation");
    expect(theCase.parties.map(({ status }) => status)).toEqual(["active", "active"]);
    theCase = await move(theCase, "concluded");
    theCase = await move(theCase, "closed");
    expect(theCase).toMatchObject({ status: "closed", waitingFor: "nobody", outcome: OUTCOME });
    expect(await refusal(move(theCase, "concluded"))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("casework.move: two at once from one version, one moves and the other hears of it", async () => {
    const { theCase } = await aCase(practice);
    await practice.api.conflicts.decide.mutate({
      id: newId(),
      caseId: theCase.id,
      decision: "waived",
      reason: "Known",
    });
    const codes = await Promise.all(
      [1, 2].map(() =>
        move(theCase, "intake").then(
          () => "OK",
          () => "CONFLICT",
        ),
      ),
    );
    expect(codes.toSorted()).toEqual(["CONFLICT", "OK"]);
  });

  test("casework.move: ending without mediation needs a reason", async () => {
    const { theCase } = await aCase(practice);
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
    const atIntake = await move(theCase, "intake");
    expect(await refusal(move(atIntake, "not_proceeding"))).toMatchObject({ code: "BAD_REQUEST" });
    expect(await move(atIntake, "not_proceeding", "Reconciled")).toMatchObject({ reason: "Reconciled" });
  });
});

describe("parties", () => {
  test("casework.setFunding: shares that do not make the whole are refused", async () => {
    const { theCase, p1, p2 } = await aCase(practice);
    const funding = (one: number, two: number) => ({
      id: theCase.id,
      version: theCase.version,
      parties: [
        { partyId: p1.partyId, funding: { type: "private" as const, shareBp: one, payerContactId: "" } },
        { partyId: p2.partyId, funding: { type: "legal_aid" as const, shareBp: two, payerContactId: "" } },
      ],
    });
    expect(await refusal(practice.api.casework.setFunding.mutate(funding(5000, 4000)))).toMatchObject({
      code: "BAD_REQUEST",
    });
    const saved = await practice.api.casework.setFunding.mutate(funding(7000, 3000));
    expect(saved.parties.map((party) => party.funding.shareBp)).toEqual([7000, 3000]);
  });

  test("an organisation: when a case is a family's, then it is no party of it, however it would come to it; in another kind it is", async () => {
    const { api } = practice;
    const fields = { kind: "organisation" as const, organisation: "Brightwater Ltd", firstName: "", lastName: "" };
    const company = await api.clients.create.mutate(aClient({ ...fields, dateOfBirth: "" }));
    const person = await api.clients.create.mutate(aClient());
    const opening = (domain: Case["domain"]) =>
      api.casework.create.mutate(aCaseInput([person.id, company.id], { domain, issueScope: "other" }));
    const told = expect.stringContaining("Brightwater Ltd is an organisation");
    expect((await refusal(opening("family"))).fields).toEqual({ parties: told });
    const civil = await opening("civil");
    expect(civil.parties).toHaveLength(2);
    const { id: _id, parties: _parties, caseRef: _ref, ...entered } = aCaseInput([]);
    const versioned = { id: civil.id, version: civil.version };
    expect((await refusal(api.casework.update.mutate({ ...entered, ...versioned }))).fields).toEqual({ domain: told });
    const { theCase } = await aCase(practice);
    const party = { clientId: company.id, role: "respondent" as const, side: "" };
    const joining = { id: theCase.id, version: theCase.version, changeId: newId(), party };
    expect((await refusal(api.casework.addParty.mutate(joining))).fields).toEqual({ clientId: told });
    expect((await api.cases.get.query({ id: theCase.id })).parties).toHaveLength(2);
  });

  test("casework.addParty: the conflict check has to be decided again", async () => {
    const { theCase } = await aCase(practice);
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
    const third = await practice.api.clients.create.mutate(aClient({ firstName: "Rowan" }));
    const wider = await practice.api.casework.addParty.mutate({
      changeId: newId(),
      id: theCase.id,
      version: theCase.version,
      party: { clientId: third.id, role: "participant", side: "" },
    });
    expect(wider.parties.map(({ label }) => label)).toEqual(["P1", "P2", "P3"]);
    expect(wider.parties.reduce((sum, { funding }) => sum + funding.shareBp, 0)).toBe(10_000);
    const { latest } = await practice.api.conflicts.ofCase.query({ id: theCase.id });
    expect(latest).toMatchObject({ decision: "clear", isOutdated: true });
    expect(await refusal(move(wider, "intake"))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });
});

describe("casework.update", () => {
  const details = (overrides: Partial<CaseFields> = {}) => {
    const { id: _id, parties: _parties, caseRef: _caseRef, ...fields } = aCaseInput([]);
    return { ...fields, ...overrides };
  };

  test("casework.update: when what is entered of a case changes, then that is stored, and its state and parties stay", async () => {
    const { theCase } = await aCase(practice);
    const mediators = [{ userId: practice.ownerId, isLead: true }];
    const entered = details({ matter: "Finances", format: "shuttle", mediators, nextReviewOn: "2026-12-24" });
    const changed = await practice.api.casework.update.mutate({ ...entered, id: theCase.id, version: theCase.version });
    expect(changed).toMatchObject({
      ...entered,
      mediatorNames: ["Ines Marchbank"],
      caseRef: theCase.caseRef,
      status: "enquiry",
      version: theCase.version + 1,
    });
    expect(changed.parties).toEqual(theCase.parties);
    expect(await practice.api.cases.get.query({ id: theCase.id })).toEqual(changed);
  });

  test("casework.update: when it is saved over an older version, names what is not of this practice, or is another's case, then nothing changes", async () => {
    const { theCase } = await aCase(practice);
    const other = await aPractice(app);
    const own = { id: theCase.id, version: theCase.version };
    const theirs = [{ userId: other.ownerId, isLead: true }];
    const referral = { source: "solicitor" as const, contactId: "nobody", campaign: "" };
    const update = practice.api.casework.update.mutate;
    const older = update({ ...details({ matter: "Late" }), ...own, version: theCase.version + 1 });
    expect(await refusal(older)).toMatchObject({ code: "CONFLICT", isStale: true });
    expect((await refusal(update({ ...details({ mediators: theirs }), ...own }))).fields).toHaveProperty("mediators");
    expect((await refusal(update({ ...details({ referral }), ...own }))).fields).toHaveProperty(["referral.contactId"]);
    const foreign = other.api.casework.update.mutate({ ...details({ matter: "Taken" }), ...own });
    expect(await refusal(foreign)).toMatchObject({ code: "NOT_FOUND" });
    expect(await practice.api.cases.get.query({ id: theCase.id })).toEqual(theCase);
  });
});

describe("what comes next", () => {
  const stepsOf = async ({ id }: Case) => (await practice.api.casework.steps.query({ id })).items;

  test("casework.steps: when a case may move on, then each next state stands with what is still in its way", async () => {
    const { theCase } = await aCase(practice, {}, { isCleared: false });
    expect(await stepsOf(theCase)).toEqual([
      { to: "intake", needsReason: false, blockers: ["Decide the conflict check as clear or waived."] },
      { to: "not_proceeding", needsReason: true, blockers: [] },
    ]);
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
    expect(await stepsOf(theCase)).toEqual([
      { to: "intake", needsReason: false, blockers: [] },
      { to: "not_proceeding", needsReason: true, blockers: [] },
    ]);
    const atIntake = await move(theCase, "intake");
    const steps = await stepsOf(atIntake);
    expect(steps.map(({ to }) => to)).toEqual(CASE_TRANSITIONS.family.intake.map(({ to }) => to));
    const ended = await move(atIntake, "not_proceeding", "Reconciled");
    expect((await stepsOf(ended)).map(({ to }) => to)).toEqual(["intake"]);
  });

  test("casework.steps: when the case is another practice's, then it is missing", async () => {
    const { theCase } = await aCase(practice);
    const other = await aPractice(app);
    expect(await refusal(other.api.casework.steps.query({ id: theCase.id }))).toMatchObject({ code: "NOT_FOUND" });
  });
});

test("cases.ofClient: when a client is in several cases, then the newest stands first, and only those that the reader sees", async () => {
  const staff = await aStaffUser(app, practice, { role: 2, permissions: ["clients.read", "assigned_only"] });
  const { user } = await staff.api.auth.status.query();
  const { theCase, first, second } = await aCase(practice);
  const mediators = [{ userId: user?.userId ?? "", isLead: true }];
  const newer = await practice.api.casework.create.mutate(aCaseInput([first.id], { mediators }));
  const casesOf = async ({ api }: Pick<TestPractice, "api">, id: string) =>
    (await api.cases.ofClient.query({ id })).items.map((one) => one.id);
  expect(await casesOf(practice, first.id)).toEqual([newer.id, theCase.id]);
  expect(await casesOf(practice, second.id)).toEqual([theCase.id]);
  expect(await casesOf(staff, first.id)).toEqual([newer.id]);
  expect(await casesOf(await aPractice(app), first.id)).toEqual([]);
});

describe("the board", () => {
  test("cases.board: its totals are those of the stored cases, whatever happened to them", async () => {
    const own = await aPractice(app);
    const made = await Promise.all(Array.from({ length: 6 }, () => aCase(own)));
    for (const { theCase } of made.slice(0, 4)) {
      await own.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
      await own.api.casework.move.mutate({ id: theCase.id, version: theCase.version, to: "intake", reason: "" });
    }
    const board = await own.api.cases.board.query();
    expect(board.columns.find(({ status }) => status === "intake")).toMatchObject({ count: 4 });
    const stored = await mongoose.connection.collection("cases").find({ ownerId: own.ownerId }).toArray();
    expect(stored.filter(({ waitingFor }) => waitingFor === "practice")).toHaveLength(board.waiting.practice);
  });
});

describe("assigned only", () => {
  test("a mediator who sees only assigned cases finds theirs, with both parties' names, and no other", async () => {
    const own = await aPractice(app);
    const mediator = await aStaffUser(app, own, {
      role: 2,
      permissions: ["clients.read", "clients.write", "assigned_only"],
    });
    const { user } = await mediator.api.auth.status.query();
    const mine = await aCase(own, { mediators: [{ userId: user?.userId ?? "", isLead: true }] });
    const foreign = await aCase(own);
    const { items } = await mediator.api.cases.list.query({});
    expect(items.map(({ id }) => id)).toEqual([mine.theCase.id]);
    expect(items[0]?.parties).toHaveLength(2);
    expect(await refusal(mediator.api.cases.get.query({ id: foreign.theCase.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await mediator.api.clients.get.query({ id: mine.second.id })).id).toBe(mine.second.id);
    expect(await refusal(mediator.api.clients.get.query({ id: foreign.first.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("search", () => {
  test("cases.list: a part of the reference and a party's name find the case", async () => {
    const { theCase, second } = await aCase(practice);
    const byName = await practice.api.cases.list.query({ search: second.lastName.slice(0, 6) });
    expect(byName.items.map(({ id }) => id)).toContain(theCase.id);
    const byNumber = await practice.api.cases.list.query({ search: theCase.caseRef.slice(-4) });
    expect(byNumber.items.map(({ id }) => id)).toEqual([theCase.id]);
  });
});
