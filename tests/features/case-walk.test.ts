// Whatever is tried in a case, in whatever order, what it says of itself is true.
import { newId } from "@app/server/core/ids";
import {
  CASE_STATUSES,
  ENDED_EARLY,
  ENDED_STATUSES,
  hasSigned,
  isTakingPart,
  PARTY_STATUSES,
  type PartyStatus,
  sidesInMediation,
  sidesTakingPart,
} from "@app/shared/case-states";
import { whyNotBegin } from "@app/shared/case-sessions";
import { CASE_DOMAINS, CASE_TRANSITIONS, PARTY_TRANSITIONS } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import { TRPCClientError } from "@trpc/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aCase, aPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { stepping } from "../support/server/stepping.ts";
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

const anyone = fc.integer({ min: 0, max: 1 });
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
      return moveParty(theCase, index, pickOf(PARTY_TRANSITIONS[theCase.domain][from], pick));
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
    expect(unsafe).toEqual([]);
    return invited;
  }),
  fc.constant<Act>(async (theCase) => {
    await practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
    const partyIds = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
    expect(whyNotBegin(theCase, { type: null, partyIds })).toBeNull();
    return theCase;
  }),
  fc.integer({ min: -1, max: 1 }).map(
    (index): Act =>
      (theCase) =>
        correct(theCase, theCase.parties[index]?.partyId),
  ),
);

/** Of each party the latest finding. */
async function findingsIn({ id: caseId }: Case): Promise<Map<string, string>> {
  const { items } = await practice.api.screenings.list.query({ caseId });
  const latest = items.filter((screening) => screening.status === "completed");
  return new Map(latest.map(({ partyId, suitable }) => [partyId, suitable]));
}

/** Who was found not safe, and did not withdraw. */
async function unsafeIn(theCase: Case): Promise<string[]> {
  const findings = await findingsIn(theCase);
  const unsafe = theCase.parties.filter(({ partyId }) => findings.get(partyId) === "no");
  return unsafe.filter(({ status }) => status !== "withdrawn").map(({ label }) => label);
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
  for (const party of parties) expect(PARTY_TRANSITIONS[domain][party.status]).not.toEqual([]);
  if (status === "in_mediation") expect(sidesInMediation(parties)).toBeGreaterThanOrEqual(2);
  if (status === "ready") expect(sidesTakingPart(parties)).toBeGreaterThanOrEqual(2);
  if (status === "concluded" || status === "closed") expect(outcome).not.toBeNull();
  else expect(outcome).toBeNull();
  expect(ending !== null).toBe(ENDED_EARLY.includes(status));
  for (const party of parties) if (hasSigned(party)) expect(party.agreementSignedOn).not.toBe("");
}

test.each(CASE_DOMAINS)(
  "a walk at random through a case of the kind %s: when any step is tried anywhere, then it is refused, or the case says what is true",
  async (domain) => {
    const runs = Math.ceil(STEPS / CASE_DOMAINS.length / STEPS_OF_CASE);
    const walk = fc.array(anAct, { minLength: STEPS_OF_CASE, maxLength: STEPS_OF_CASE });
    await fc.assert(
      fc.asyncProperty(walk, async (acts) => {
        let { theCase } = await aCase(practice, { domain });
        await decide(theCase.id);
        for (const one of acts) {
          const next = await one(theCase).catch((error: unknown) => error);
          if (next instanceof TRPCClientError) continue;
          if (next instanceof Error) throw next;
          theCase = await practice.api.cases.get.query({ id: theCase.id });
          await assertTrue(theCase);
        }
      }),
      { numRuns: runs },
    );
  },
  STEPS * STEP_LIMIT_MS,
);
