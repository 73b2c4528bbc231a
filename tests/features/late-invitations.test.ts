// What went out on a day that is over is recorded as it was, whatever keeps anybody from being invited today.
import { newId } from "@app/server/core/ids";
import { AttemptModel } from "@app/server/features/ladders/attempts.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const today = new Date().toISOString().slice(0, 10);
const WHY = "The letter was posted by a locum";

/** A case whose other party was written to, which nobody has recorded yet. */
async function written(screenedDaysAgo = 60) {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const { id } = theCase;
  await mayContact(theCase);
  for (const { partyId } of [p1, p2])
    await practice.api.screenings.complete.mutate(
      aScreening(theCase, partyId, { heldOn: addDays(today, -screenedDaysAgo) }),
    );
  const versioned = async () => ({ id, version: (await practice.api.cases.get.query({ id })).version });
  const record = async (daysAgo: number, unmetReason?: string, api = practice.api) =>
    api.casework.inviteParty.mutate({
      ...(await versioned()),
      partyId: p2.partyId,
      channel: "post",
      on: addDays(today, -daysAgo),
      wording: "Please come",
      ...(unmetReason === undefined ? {} : { unmetReason }),
      changeId: newId(),
    });
  const step = async (partyId: string, to: "withdrawn" | "no_response") =>
    practice.api.casework.moveParty.mutate({
      ...(await versioned()),
      partyId,
      to,
      on: addDays(today, to === "withdrawn" ? -2 : 0),
      reason: "They said so",
      isOwnDecision: to === "withdrawn" ? true : null,
    });
  const attempts = async (api = practice.api) => (await api.casework.invitations.query({ id })).attempts;
  return { theCase, p1, p2, versioned, record, step, attempts };
}

test("casework.inviteParty: a letter of before whoever came first left is recorded without a question, and one of today is refused", async () => {
  const { p1, p2, record, step, attempts } = await written();
  await step(p1.partyId, "withdrawn");
  expect((await refusal(record(0))).message).toContain("P1 takes no part any more, so nobody is invited.");
  await record(44);
  expect(await attempts()).toMatchObject([{ on: addDays(today, -44), unmet: [], unmetBecause: "" }]);
  expect((await step(p2.partyId, "no_response")).parties[1]).toMatchObject({ status: "no_response" });
});

test("casework.inviteParty: a letter of before somebody was found not safe is recorded, and nobody is told to invite again", async () => {
  const { theCase, p1, record, attempts } = await written();
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
  expect(await refusal(record(0, WHY))).toMatchObject({ code: "PRECONDITION_FAILED" });
  await record(44);
  expect(await attempts()).toMatchObject([{ unmet: [] }]);
  const { items } = await practice.api.tasks.list.query({ caseId: theCase.id, isOpen: true });
  expect(items.filter(({ title }) => title.includes("invite again"))).toEqual([]);
});

test("casework.inviteParty: a letter of when the screening was young is recorded, though it is too old today", async () => {
  const { record, attempts } = await written(200);
  expect((await refusal(record(0))).message).toContain("over 180 days old");
  await record(44);
  await record(10, WHY);
  expect((await attempts()).map(({ unmet }) => unmet)).toEqual([[], ["The screening of P1 was over 180 days old."]]);
});

test("casework.inviteParty: a letter of before the case ended is recorded in it, and its party can be silent", async () => {
  const { theCase, p2, versioned, record, step } = await written();
  const ended = { to: "not_proceeding", ending: "other", reason: "Moved abroad" } as const;
  await practice.api.casework.move.mutate({ ...(await versioned()), ...ended });
  expect((await refusal(record(0))).message).toBe("This case is over. Reopen it before you invite anybody.");
  const { status, parties } = await record(44);
  expect([status, parties[1]?.status]).toEqual(["not_proceeding", "invited"]);
  await step(p2.partyId, "no_response");
  const stored = await CaseModel.findOne({ ownerId: practice.ownerId, _id: theCase.id }).lean();
  expect([stored?.status, stored?.parties[1]?.status]).toEqual(["not_proceeding", "no_response"]);
});

test("casework.inviteParty: a letter that is found after they were silent is recorded, and nobody is awaited again beside somebody who is not safe, or in a case that is over", async () => {
  for (const isOver of [false, true]) {
    const { theCase, p1, p2, versioned, record, step, attempts } = await written();
    await record(44);
    await step(p2.partyId, "no_response");
    const ended = { to: "not_proceeding", ending: "other", reason: "Moved abroad" } as const;
    if (isOver) await practice.api.casework.move.mutate({ ...(await versioned()), ...ended });
    else await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    expect((await record(30)).parties[1]).toMatchObject({ status: "no_response" });
    expect(await attempts()).toHaveLength(2);
  }
});

test("casework.inviteParty: what was missing on its day asks why they were invited all the same, and both are kept sealed", async () => {
  const { theCase, record, attempts } = await written(20);
  await mongoose.connection.collection("screenings").deleteMany({ caseId: theCase.id });
  for (const reason of [undefined, " - "]) {
    const { fields } = await refusal(record(44, reason));
    expect(fields).toEqual({ unmetReason: expect.stringContaining("P1 had not been screened.") });
  }
  expect(await AttemptModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(0);
  await record(44, WHY);
  expect(await attempts()).toMatchObject([{ unmet: ["P1 had not been screened."], unmetBecause: WHY }]);
  const stored = await AttemptModel.findOne({ ownerId: practice.ownerId, caseId: theCase.id }).lean();
  expect(JSON.stringify(stored)).not.toContain("locum");
});

test("casework.inviteParty: a letter of after whoever came first had said no says that they had, and one of before it does not", async () => {
  const { p1, versioned, record, attempts } = await written();
  const no = { partyId: p1.partyId, isAgreed: false, isNamed: false, on: addDays(today, -50) };
  await practice.api.casework.recordContactAgreement.mutate({ ...(await versioned()), ...no });
  await record(44, WHY);
  await record(52, WHY);
  expect((await attempts()).map(({ unmet }) => unmet)).toEqual([
    ["It is not recorded that P1 had agreed that the others are contacted."],
    ["P1 had not agreed that the others are contacted: they had said no."],
  ]);
});

test("casework.inviteParty: whoever may not read screenings neither records nor reads what of them was missing", async () => {
  const { theCase, record, attempts } = await written(20);
  const { api } = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  await mongoose.connection.collection("screenings").deleteMany({ caseId: theCase.id });
  expect(await refusal(record(44, WHY, api))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: SCREENING_SAYS_NOT_YET,
  });
  await record(44, WHY);
  expect(await attempts(api)).toMatchObject([
    {
      unmet: ["Something of the safety screening was missing. A colleague who may read screenings can see what."],
      unmetBecause: null,
    },
  ]);
});
