// The agency's code of an outcome, which goes with legal aid and with what a case is about.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Outcome } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { AGREED, ending } from "../support/server/ending.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCaseInput, aClient, aMeetingInput, aPractice } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { decide, move, moveParty, standing } = stepping(practice);
const { fresh, hold, conclude, fund } = ending(practice);

const mediated = () => standing("in_mediation", ["active", "active"]);

async function rescope(theCase: Case, issueScope: Case["issueScope"]): Promise<Case> {
  const { id: _id, parties: _parties, caseRef: _ref, ...fields } = aCaseInput([]);
  const { id, version } = await fresh(theCase);
  return practice.api.casework.update.mutate({ ...fields, id, version, issueScope });
}

/** How many tasks of this case begin so. */
async function asked({ id: caseId }: Case, words: string): Promise<number> {
  const { items } = await practice.api.tasks.list.query({ caseId, page: 1 });
  return items.filter(({ title }) => title.startsWith(words)).length;
}

const CHANGED = (theCase: Case) => `What case ${theCase.caseRef} is about has changed`;
const PAYS = (theCase: Case) => `Legal aid pays for case ${theCase.caseRef} now`;

async function told({ parties: [party] }: Case): Promise<string> {
  const { items } = await practice.api.timeline.list.query({ clientId: party?.clientId ?? "" });
  return JSON.stringify(items);
}

test("legal aid: when it pays only since the end, then a task asks for the agency's code, where there is a session to claim for", async () => {
  const held = await mediated();
  await hold(held, "not_agreed");
  const ended = await move(held, "concluded");
  const funded = await fund(ended);
  expect(await asked(ended, PAYS(ended))).toBe(1);
  // Whoever records the end again is asked for the code then.
  const again = { ...at(funded), partyId: "", reason: "For the code", of: "step" as const };
  await practice.api.casework.correct.mutate(again);
  expect(await asked(ended, PAYS(ended))).toBe(0);
  const without = await move(await mediated(), "concluded");
  await fund(without);
  expect(await asked(without, PAYS(without))).toBe(0);
});

test.each([
  ["mediation", true],
  ["call", false],
] as const)("legal aid: a session of two sides that is a %s counts for it (%s)", async (type, countsForLegalAid) => {
  const { id: caseId, parties } = await fund(await mediated());
  const partyIds = parties.map(({ partyId }) => partyId);
  const meeting = aMeetingInput(practice.ownerId, { caseId, partyIds, type, allowsOverlap: true });
  const { id: meetingId } = await practice.api.meetings.create.mutate(meeting);
  const prepared = await practice.api.sessions.create.mutate({ id: newId(), caseId, meetingId });
  expect(prepared).toMatchObject({ countsForLegalAid });
});

test("a code: when the issues contradict what the case is about, then that is corrected, and the code asked anew where it is after the end", async () => {
  const theCase = await fund(await mediated());
  await hold(theCase, "agreed_all");
  const issues = [{ label: "Holidays", kind: "children" as const, result: "agreed" as const }];
  const agreed: Outcome = { ...AGREED, laaCode: "S", issues, isWrittenUp: true };
  expect(await refusal(conclude(theCase, agreed))).toMatchObject({
    fields: { issues: expect.stringContaining("children only") },
  });
  const ended = await conclude(await rescope(theCase, "child_only"), agreed, "Their solicitors wrote it");
  expect(ended.outcome).toMatchObject({ laaCode: "S" });
  expect((await rescope(ended, "child_only")).outcome).toMatchObject({ laaCode: "S" });
  expect(await asked(theCase, CHANGED(theCase))).toBe(0);
  const { outcome } = await rescope(ended, "all_issues");
  expect(outcome).toEqual({ ...ended.outcome, laaCode: "", laaReason: "" });
  expect(await asked(theCase, CHANGED(theCase))).toBe(1);
});

test.each([
  ["property_finance", "laaCode"],
  ["child_only", "laaCode"],
  ["all_issues", "issues"],
] as const)(
  "a code: when all was agreed of other issues alone, then a case about %s ends with no S, and says so at %s",
  async (issueScope, field) => {
    const theCase = await fund(await rescope(await mediated(), issueScope));
    await hold(theCase, "agreed_all");
    const issues = [{ label: "The dog", kind: "other" as const, result: "agreed" as const }];
    const agreed: Outcome = { ...AGREED, laaCode: "S", issues, isWrittenUp: true };
    expect(Object.keys((await refusal(conclude(theCase, agreed))).fields)).toEqual([field]);
    expect(await fresh(theCase)).toMatchObject({ status: "in_mediation", outcome: null });
  },
);

test("a code: when nobody has legal aid any more, then it is cleared and the history says so, and it is asked for when somebody has again", async () => {
  const theCase = await fund(await mediated());
  await hold(theCase, "not_agreed");
  const notAgreed: Outcome = { ...AGREED, code: "not_agreed", laaCode: "B", issues: [] };
  const ended = await conclude(theCase, notAgreed);
  const WORDS = "Nobody has legal aid any more: the agency’s code of the outcome is cleared";
  const still = await fund(ended);
  expect(still.outcome).toMatchObject({ laaCode: "B" });
  const unaided = await fund(still, "private");
  expect(unaided.outcome).toEqual({ ...ended.outcome, laaCode: "", laaReason: "" });
  expect((await told(unaided)).split(WORDS)).toHaveLength(2);
  expect(await asked(unaided, PAYS(unaided))).toBe(0);
  await fund(unaided);
  expect(await asked(unaided, PAYS(unaided))).toBe(1);
});

test("legal aid: when the only one who has it came to no session, then nothing is claimed for them; when one who mediated has it, then it is", async () => {
  const theCase = await mediated();
  await hold(theCase, "agreed_all");
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const party = { clientId, role: "respondent" as const, side: "" };
  const joined = await practice.api.casework.addParty.mutate({ ...at(await fresh(theCase)), changeId: newId(), party });
  const aid = async (index: number) => {
    const { id, version, parties } = await fresh(theCase);
    return practice.api.casework.setFunding.mutate({
      id,
      version,
      parties: parties.map(({ partyId, funding }, of) => ({
        partyId,
        funding: { ...funding, type: of === index ? "legal_aid" : "private" },
      })),
    });
  };
  await aid(2);
  const refused = await moveParty(await fresh(joined), 2, "refused");
  expect(await refusal(conclude(refused, { ...AGREED, laaCode: "S" }))).toMatchObject({
    fields: { laaCode: expect.stringContaining("Nobody who mediated has legal aid") },
  });
  const { lastSession, mediatedIds } = await practice.api.casework.steps.query({ id: theCase.id });
  expect({ lastSession, mediatedIds: mediatedIds.length }).toMatchObject({
    lastSession: { number: 1 },
    mediatedIds: 2,
  });
  const one = await aid(0);
  expect(await refusal(conclude(one, AGREED))).toMatchObject({
    fields: { laaCode: expect.stringContaining("Choose the code") },
  });
  expect((await conclude(await aid(2), AGREED)).outcome).toMatchObject({ laaCode: "" });
});

test("legal aid: when the only one who has it is recorded as present only after the end, then the agency's code is asked for, once", async () => {
  const { api } = practice;
  const theCase = await standing("in_mediation", ["active", "active"]);
  const { id: clientId } = await api.clients.create.mutate(aClient());
  const party = { clientId, role: "respondent" as const, side: "" };
  const { parties } = await api.casework.addParty.mutate({ ...at(theCase), changeId: newId(), party });
  const aided = parties[2]?.partyId ?? "";
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.2.status": "active", "parties.$[].consentedOn": TODAY, "parties.2.funding.type": "legal_aid" } },
  );
  await decide(theCase.id);
  // The others are asked about them as well.
  for (const { partyId } of parties) await api.screenings.complete.mutate(aScreening(await fresh(theCase), partyId));
  await hold(await fresh(theCase), "not_agreed", [aided]);
  const ended = await conclude(await fresh(theCase), { ...AGREED, code: "not_agreed", issues: [] });
  const { items } = await api.sessions.ofCase.query({ id: theCase.id });
  const amend = (state: "present" | "no_show") =>
    api.sessions.amend.mutate({
      id: items[0]?.id ?? "",
      changeId: newId(),
      text: "The wrong one",
      attendance: [{ partyId: aided, state }],
      unmetReason: "Asked before it began",
    });
  await amend("present");
  expect(await asked(ended, PAYS(ended))).toBe(1);
  await amend("no_show");
  await amend("present");
  expect(await asked(ended, PAYS(ended))).toBe(1);
});

test("a case about other issues: when legal aid is recorded in it, then no code is asked and none is taken, until it is about what the agency pays for", async () => {
  const theCase = await fund(await rescope(await mediated(), "other"));
  await hold(theCase, "not_agreed");
  const notAgreed: Outcome = { ...AGREED, code: "not_agreed", issues: [] };
  expect(await refusal(conclude(theCase, { ...notAgreed, laaCode: "B" }))).toMatchObject({
    fields: { laaCode: "The Legal Aid Agency pays for no case like this, so there is no code." },
  });
  const ended = await conclude(theCase, notAgreed);
  expect(ended.outcome).toMatchObject({ laaCode: "" });
  await fund(await fund(ended, "private"));
  expect(await asked(ended, PAYS(ended))).toBe(0);
  await rescope(ended, "all_issues");
  expect(await asked(ended, CHANGED(ended))).toBe(1);
});

test("a code: when the case turns out to be about other issues, then it is cleared, the history says so, and nobody is asked for another", async () => {
  const theCase = await fund(await mediated());
  await hold(theCase, "not_agreed");
  const ended = await conclude(theCase, { ...AGREED, code: "not_agreed", laaCode: "B", issues: [] });
  const { outcome } = await rescope(ended, "other");
  expect(outcome).toMatchObject({ laaCode: "" });
  expect(await told(ended)).toContain(
    "What the case is about has changed: the agency’s code of the outcome is cleared",
  );
  expect(await asked(ended, CHANGED(ended))).toBe(0);
});

describe("where the agency pays for nothing", () => {
  const REGIONS = ["scotland", "ireland", "united_states"] as const;

  async function inRegion(region: "england_wales" | (typeof REGIONS)[number]): Promise<void> {
    const { currency: _currency, ...settings } = await practice.api.practices.get.query();
    await practice.api.practices.update.mutate({ ...settings, region });
  }

  test.each(REGIONS)(
    "legal aid in a practice of the region %s: the case ends without the agency's code, and takes none",
    async (region) => {
      const theCase = await fund(await mediated());
      await hold(theCase, "agreed_all");
      await inRegion(region);
      try {
        expect(
          await refusal(
            conclude(await fresh(theCase), { ...AGREED, code: "not_agreed", issues: [], laaCode: "B" }, "Why"),
          ),
        ).toMatchObject({
          fields: { laaCode: expect.stringContaining("pays for no case like this") },
        });
        expect((await conclude(await fresh(theCase), AGREED)).outcome).toMatchObject({ laaCode: "" });
      } finally {
        await inRegion("england_wales");
      }
    },
  );

  test.each(["civil", "workplace", "community"] as const)(
    "legal aid in a case of the kind %s: it ends without a code",
    async (domain) => {
      const theCase = await fund(await standing("in_mediation", ["active", "active"], { domain }));
      await hold(theCase, "agreed_all");
      expect((await conclude(await fresh(theCase), AGREED)).outcome).toMatchObject({ laaCode: "" });
    },
  );
});
