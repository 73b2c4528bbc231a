// All that is recorded in the demonstration is what the product lets people record.
import { isAgreement } from "@app/shared/case-outcomes";
import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { Meeting } from "@app/shared/meetings";
import { expect, test } from "vitest";
import { DEMO_EMAIL, DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { demoAll } from "../../scripts/demo-all.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { type Api, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

/** More cases than are worked on, so that some stand as they were taken over. */
const SIZE = { mediators: 2, clients: 60, cases: 29, meetings: 120, perDay: 4, leads: 4, answers: 4 };
const app = forAllTests(startTestApp);
const demo = forAllTests(async () => {
  await demoAll(SIZE);
  const { api } = aVisitor(app);
  await api.auth.signIn.mutate({ email: DEMO_EMAIL, password: DEMO_PASSWORD });
  return { api, cases: await allCases(api) };
});

async function allCases(api: Api): Promise<Case[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await api.cases.list.query({ page });
    if (items.length === 0) break;
    ids.push(...items.map(({ id }) => id));
  }
  return Promise.all(ids.map((id) => api.cases.get.query({ id })));
}

const isOver = ({ outcome, ending }: Case): boolean => outcome !== null || ending !== null;
const now = (id: string): Promise<Case> => demo.api.cases.get.query({ id });

async function takeBack(id: string): Promise<Case> {
  const { version } = await now(id);
  return demo.api.casework.correct.mutate({ id, version, partyId: "", reason: "To record it again" });
}

test("the demonstration: when the end of a case is recorded once more as it stands, then it is taken, of every way to end", async () => {
  const over = demo.cases.filter(isOver);
  const led = over.filter(({ lastStep }) => lastStep !== null);
  expect(new Set(led.map(({ status }) => status))).toEqual(
    new Set(["concluded", "closed", "terminated", "not_proceeding"]),
  );
  for (const theCase of led) {
    const { id, caseRef } = theCase;
    const before = theCase.status === "closed" ? await takeBack(id) : theCase;
    const { status: to, ending, outcome, concludedOn, reason } = before;
    const { version } = await takeBack(id);
    const { unwritten, openEntries } = await demo.api.casework.steps.query({ id });
    const again = { id, version, to, ending, outcome, endedOn: concludedOn, reason };
    const known = { unwritten: unwritten.length, openEntries: openEntries ?? 0 };
    const ended = demo.api.casework.move.mutate({ ...again, ...known });
    await expect(ended, caseRef).resolves.toMatchObject({ status: to, ending });
  }
});

test("the demonstration: when a case was taken over as ended, then it says nothing that only a session here could have found", () => {
  const takenOver = demo.cases.filter((theCase) => isOver(theCase) && theCase.lastStep === null);
  expect(takenOver.length).toBeGreaterThan(0);
  for (const { caseRef, ending, outcome } of takenOver) {
    expect(ending, caseRef).not.toBe("broken_down");
    expect(outcome !== null && isAgreement(outcome.code), caseRef).toBe(false);
  }
});

test("the demonstration: when a session was locked, then nothing was missing for it, and all who came had been asked", async () => {
  const held = [];
  for (const { id } of demo.cases) held.push(...(await demo.api.sessions.ofCase.query({ id })).items);
  const locked = held.filter(({ status }) => status === "locked");
  expect(locked.length).toBeGreaterThan(5);
  for (const { id } of locked) expect((await demo.api.sessions.get.query({ id })).unmet).toEqual([]);
});

test("the demonstration: when nobody has worked, then no task asks to look again at what is recorded", async () => {
  const { items } = await demo.api.tasks.list.query({ search: "Look again" });
  expect(items.map(({ title }) => title)).toEqual([]);
});

async function meetingsIn({ id, parties }: Case): Promise<Meeting[]> {
  const found = new Map<string, Meeting>();
  for (const { clientId } of parties)
    for (const when of ["past", "upcoming"] as const) {
      const { items } = await demo.api.meetings.listOf.query({ clientId, when });
      for (const meeting of items) if (meeting.caseId === id) found.set(meeting.id, meeting);
    }
  return [...found.values()];
}

const TOGETHER: readonly Meeting["type"][] = ["mediation", "shuttle", "cim"];

test("the demonstration: when somebody comes to a meeting, then their case is where such a meeting is held", async () => {
  for (const theCase of demo.cases) {
    const { caseRef, status, parties } = theCase;
    for (const { type, partyIds, startsAt } of await meetingsIn(theCase)) {
      const what = `${caseRef}: ${type} of ${startsAt}`;
      expect(isOver(theCase), what).toBe(false);
      if (TOGETHER.includes(type)) expect(status, what).toBe("in_mediation");
      const come = parties.filter(({ partyId }) => partyIds.includes(partyId));
      if (type === "miam")
        expect(
          come.every(({ miamOn }) => miamOn === ""),
          what,
        ).toBe(true);
    }
  }
});

test("the demonstration: when somebody of a case that is worked on has signed, then they were screened, had a MIAM in family work, and consented", async () => {
  const worked = [];
  for (const theCase of demo.cases) {
    const { items } = await demo.api.screenings.list.query({ caseId: theCase.id });
    if (items.length > 0) worked.push({ theCase, screened: new Set(items.map(({ partyId }) => partyId)) });
  }
  expect(worked.length).toBeGreaterThan(15);
  for (const { theCase, screened } of worked) {
    const signed = theCase.parties.filter((party) => hasSigned(party) && isTakingPart(party));
    if (signed.length > 0) expect(theCase.confidences, theCase.caseRef).not.toBeNull();
    for (const { partyId, label, consentedOn, miamOn } of signed) {
      const who = `${theCase.caseRef} ${label}`;
      expect(screened.has(partyId), who).toBe(true);
      expect(consentedOn, who).not.toBe("");
      if (theCase.domain === "family") expect(miamOn, who).not.toBe("");
    }
  }
});
