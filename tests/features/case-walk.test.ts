// Whatever is tried in a case, in whatever order, what it says of itself is true.
import { newId } from "@app/server/core/ids";
import { isAgreement, type Outcome } from "@app/shared/case-outcomes";
import {
  CASE_STATUSES,
  ENDED_EARLY,
  ENDED_STATUSES,
  hasAnswered,
  hasSigned,
  isTakingPart,
  PARTY_STATUSES,
  type PartyStatus,
  sidesInMediation,
  sidesTakingPart,
} from "@app/shared/case-states";
import { whyNotBegin } from "@app/shared/case-sessions";
import { CASE_DOMAINS, CASE_TRANSITIONS, type CaseDomain, PARTY_TRANSITIONS } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import { isUndecided } from "@app/shared/invitable";
import { TRPCClientError } from "@trpc/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { aCase, aClient, aPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { at, DAY, OUTCOME, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

/** `npm run test:long` walks 10,000. */
const STEPS = Number(process.env["CASE_STEPS"] ?? 200);
const STEPS_OF_CASE = 40;
const STEP_LIMIT_MS = 1000;

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { decide, move, invite, moveParty, correct } = stepping(practice);

type Act = (theCase: Case) => Promise<Case>;

/** The third joins later. */
const PARTIES_MAX = 3;
const anyone = fc.integer({ min: 0, max: PARTIES_MAX - 1 });
const pickOf = <Item>(list: readonly Item[], pick: number): Item => {
  const item = list[pick % list.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

/** What people do: mostly a step that is offered, now and then any step at all, and what its gates ask for. */
const anAct: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom(...CASE_STATUSES).map(
    (to): Act =>
      (theCase) =>
        move(theCase, to),
  ),
  fc.tuple(anyone, fc.constantFrom(...PARTY_STATUSES)).map(
    ([index, to]): Act =>
      (theCase) =>
        moveParty(theCase, index, to),
  ),
  {
    weight: 3,
    arbitrary: fc.nat().map((pick): Act => (theCase) => {
      return move(theCase, pickOf(CASE_TRANSITIONS[theCase.domain][theCase.status], pick).to);
    }),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(anyone, fc.nat()).map(([index, pick]): Act => (theCase) => {
      const from = theCase.parties[index]?.status ?? "to_invite";
      const ways = PARTY_TRANSITIONS[theCase.domain][from];
      return moveParty(theCase, index, pickOf(ways.length > 0 ? ways : PARTY_STATUSES, pick));
    }),
  },
  fc
    .tuple(anyone, fc.constantFrom({}, {}, withMeasures("shuttle"), NOT_SAFE))
    .map(([index, found]): Act => async (theCase) => {
      const { partyId } = pickOf(theCase.parties, index);
      await practice.api.screenings.complete.mutate(aScreening(theCase, partyId, found));
      return theCase;
    }),
  anyone.map((index): Act => async (theCase) => {
    const unsafe = await unsafeIn(theCase);
    const invited = await invite(theCase, index);
    // Of a day before anything was found whoever came first is recorded as invited, and stays where they came to since.
    const [before, after] = [theCase, invited].map(({ parties }) => parties[index]?.status);
    if (index > 0 || (before !== "to_invite" && before !== after)) expect(unsafe).toEqual([]);
    await assertMayContact(theCase, index);
    assertUndecided(theCase, index);
    return invited;
  }),
  fc.tuple(anyone, fc.constantFrom(true, true, true, false)).map(([index, isAgreed]): Act => (theCase) => {
    const { partyId } = pickOf(theCase.parties, index);
    const said = { isAgreed, isNamed: false, on: DAY };
    return practice.api.casework.recordContactAgreement.mutate({ ...at(theCase), partyId, ...said });
  }),
  fc.constant<Act>(async (theCase) => {
    const started = { id: newId(), caseId: theCase.id, meetingId: null };
    // Whoever joined later and has signed nothing is not in it.
    const { partyIds } = await practice.api.sessions.start.mutate(started);
    expect(whyNotBegin(theCase, { type: null, partyIds })).toBeNull();
    return theCase;
  }),
  fc.integer({ min: -1, max: PARTIES_MAX - 1 }).map(
    (index): Act =>
      (theCase) =>
        correct(theCase, theCase.parties[index]?.partyId),
  ),
  fc.constant<Act>(async (theCase) => {
    if (theCase.parties.length === PARTIES_MAX) return theCase;
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "participant" as const, side: "" };
    const joined = await practice.api.casework.addParty.mutate({ ...at(theCase), changeId: newId(), party });
    await decide(theCase.id);
    return joined;
  }),
  anyone.map((index): Act => (theCase) => {
    const { partyId, side, role, representativeContactIds } = pickOf(theCase.parties, index);
    const fields = { side, role, representativeContactIds, consentedOn: DAY };
    return practice.api.casework.updateParty.mutate({ ...at(theCase), partyId, ...fields });
  }),
  anyone.map((index): Act => async (theCase) => {
    const session = await sessionIn(theCase);
    const { partyId } = pickOf(theCase.parties, index);
    const change = { id: session?.id ?? "", changeId: newId() };
    await practice.api.sessions.setAttendance.mutate({ ...change, partyId, state: "present" });
    return theCase;
  }),
  fc.constant<Act>(async (theCase) => {
    const session = await sessionIn(theCase);
    const change = () => ({ id: session?.id ?? "", changeId: newId() });
    await practice.api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    for (const partyId of session?.partyIds ?? []) {
      await practice.api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      const said = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
      await practice.api.sessions.reviewSafety.mutate({ ...change(), partyId, ...said });
    }
    await practice.api.sessions.move.mutate({ ...change(), to: "ended" });
    await practice.api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
    return theCase;
  }),
  fc
    .constantFrom<Outcome["code"]>("agreed_all", "agreed_some", "settled_before", "reconciled")
    .map((code): Act => async (theCase) => {
      const issues = [
        {
          label: "The house",
          kind: "property_finance" as const,
          result: code === "agreed_some" ? ("partly" as const) : ("agreed" as const),
        },
      ];
      const outcome = { ...OUTCOME, code, issues };
      const { move: send } = practice.api.casework;
      const ended = await send.mutate({ ...at(theCase), to: "concluded", reason: "As it is", outcome });
      const unsigned = theCase.parties.filter((party) => isTakingPart(party) && !hasSigned(party));
      if (isAgreement(code)) expect(unsigned, "agreed unsigned").toEqual([]);
      return ended;
    }),
);

/** The newest session of a case. */
async function sessionIn({ id }: Case) {
  const { items } = await practice.api.sessions.ofCase.query({ id });
  return items[0] ? practice.api.sessions.get.query({ id: items[0].id }) : null;
}

/** Nobody mediated who had not signed, and nothing was agreed without two sides who mediated. */
async function assertMediated(theCase: Case): Promise<void> {
  const { items } = await practice.api.sessions.ofCase.query({ id: theCase.id });
  const sessions = await Promise.all(items.map(({ id }) => practice.api.sessions.get.query({ id })));
  const joint = sessions.filter(({ partyIds }) => partyIds.length > 1);
  for (const { partyIds, startedAt } of joint)
    for (const party of theCase.parties.filter(({ partyId }) => partyIds.includes(partyId))) {
      // Whoever left since and came back signs anew.
      const isBack = party.absences.some(({ to }) => to !== null && startedAt !== null && to > startedAt);
      if (!isBack) expect(party.agreementSignedOn, "in a joint session unsigned").not.toBe("");
    }
  const isAgreed = theCase.outcome !== null && isAgreement(theCase.outcome.code);
  if (!isAgreed) return;
  expect(joint.some(({ status }) => status === "locked")).toBe(true);
}

/** Of each party the latest finding. */
async function findingsIn({ id: caseId }: Case): Promise<Map<string, string>> {
  const { items } = await practice.api.screenings.list.query({ caseId });
  const latest = items.filter((screening) => screening.status === "completed");
  return new Map(latest.map(({ partyId, suitable }) => [partyId, suitable]));
}

/** Who was found not safe, and did neither withdraw nor die. */
async function unsafeIn(theCase: Case): Promise<string[]> {
  const findings = await findingsIn(theCase);
  const unsafe = theCase.parties.filter(({ partyId }) => findings.get(partyId) === "no");
  return unsafe.filter(({ status }) => status !== "withdrawn" && status !== "died").map(({ label }) => label);
}

/** Whoever came first was heard, is safe and agrees, unless they are invited themselves. */
async function assertMayContact(theCase: Case, index: number): Promise<void> {
  const [first] = theCase.parties;
  if (index === 0 || !first || !isTakingPart(first)) return;
  expect((await findingsIn(theCase)).get(first.partyId), "invited unscreened").toMatch(/^yes/);
  expect(first.contactAgreement?.isAgreed, "invited without being agreed").toBe(true);
  if (theCase.domain === "family") expect(first.miamOn, "invited before the MIAM").not.toBe("");
  else if (first.respondedOn === "" && first.miamOn === "") expect(hasAnswered(first)).toBe(true);
}

/** Nobody is asked again who said no, or left, themselves at the time of the MIAM that is certified now. */
function assertUndecided({ domain, parties, rounds }: Case, index: number): void {
  const [first, party] = [parties[0], parties[index]];
  if (domain !== "family" || index === 0 || first?.miamOn !== DAY || party?.lastStep?.isOwnDecision !== true) return;
  expect(isUndecided(party, { rounds }), "invited after their own word").toBe(true);
}

const FOUND: Partial<Record<PartyStatus, string>> = { suitable: "yes", suitable_with_measures: "yes_with_measures" };

async function assertTrue(theCase: Case): Promise<void> {
  const { status, domain, parties, outcome, ending } = theCase;
  const findings = await findingsIn(theCase);
  const isOver = ENDED_STATUSES.includes(status);
  const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
  for (const party of parties) {
    const found = findings.get(party.partyId);
    if (isTakingPart(party) && !(isOver && party.status === "done")) expect(found, party.status).not.toBe("no");
    if (party.status === "invited") expect(attempts.map(({ partyId }) => partyId)).toContain(party.partyId);
    if (FOUND[party.status]) expect(found).toBe(FOUND[party.status]);
    if (FOUND[party.status] && domain === "family") expect(party.miamOn).not.toBe("");
  }
  expect(CASE_TRANSITIONS[domain][status]).not.toEqual([]);
  for (const { status: stands } of parties)
    expect(PARTY_TRANSITIONS[domain][stands].length > 0, stands).toBe(stands !== "died");
  if (status === "in_mediation") expect(sidesInMediation(parties)).toBeGreaterThanOrEqual(2);
  if (status === "ready") expect(sidesTakingPart(parties)).toBeGreaterThanOrEqual(2);
  if (["concluded", "closed", "terminated"].includes(status)) expect(outcome).not.toBeNull();
  else expect(outcome).toBeNull();
  await assertMediated(theCase);
  expect(ending !== null).toBe(ENDED_EARLY.includes(status));
  for (const party of parties) if (hasSigned(party)) expect(party.agreementSignedOn).not.toBe("");
}

/** A case on its first day or, because few walks come as far, one in which mediation has begun. */
async function aBeginning(domain: CaseDomain, isUnderWay: boolean): Promise<Case> {
  if (isUnderWay) return (await aMediatedCase(practice, { domain })).theCase;
  const { theCase } = await aCase(practice, { domain });
  await decide(theCase.id);
  return theCase;
}

test.each(CASE_DOMAINS)(
  "a walk at random through a case of the kind %s: when any step is tried anywhere, then it is refused, or the case says what is true",
  async (domain) => {
    const runs = Math.ceil(STEPS / CASE_DOMAINS.length / STEPS_OF_CASE);
    const walk = fc.array(anAct, { minLength: STEPS_OF_CASE, maxLength: STEPS_OF_CASE });
    await fc.assert(
      fc.asyncProperty(walk, fc.boolean(), async (acts, isUnderWay) => {
        let theCase = await aBeginning(domain, isUnderWay);
        await assertTrue(theCase);
        for (const one of acts) {
          const next = await one(theCase).catch((error: unknown) => error);
          if (next instanceof TRPCClientError) continue;
          if (next instanceof Error) throw next;
          theCase = await practice.api.cases.get.query({ id: theCase.id });
          await assertTrue(theCase);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  },
  STEPS * STEP_LIMIT_MS,
);
