// That a party is not safe to mediate is a state that the team works by; when that was found is read as a screening is.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { type Permission, PERMISSIONS as EVERY_PERMISSION } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { doorOf, guarded, guardedRoutes, knock } from "../support/access/access-scenario.ts";
import { aTarget } from "../support/access/access-target.ts";
import { pathsOf } from "../support/access/procedures.ts";
import { only } from "../support/server/assessments.ts";
import { aCase, aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { putBack, takeSnapshot } from "../support/server/stored.ts";
import { startTestApp } from "../support/server/test-app.ts";

const SAFETY: readonly Permission[] = ["screening.read", "safeguarding.read", "assigned_only"];
const ALL_ELSE = EVERY_PERMISSION.filter((permission) => !SAFETY.includes(permission));
/** What changes nothing needs nothing put back. */
const queries = new Set([...pathsOf("query"), ...guardedRoutes.filter((name) => name.startsWith("GET "))]);

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const PERMISSIONS: Permission[] = ["clients.read", "clients.write", "calendar.manage"];

test("S71: cases: a party who was found not safe, for somebody without screening.read, is so since they joined, with no step, day or time of it", async () => {
  const { theCase, first, p1, p2 } = await aCase(practice, {}, { isScreened: false });
  const carl = await aStaffUser(app, practice, { permissions: PERMISSIONS });
  const tom = await aStaffUser(app, practice, { permissions: [...PERMISSIONS, "screening.read"] });
  await practice.api.screenings.complete.mutate({ ...aScreening(theCase, p1.partyId), ...NOT_SAFE, id: newId() });
  const partyOf = ({ parties }: Pick<Case, "parties">, partyId = p1.partyId) =>
    parties.find((party) => party.partyId === partyId);
  const known = partyOf(await tom.api.cases.get.query({ id: theCase.id }));
  expect(known).toMatchObject({ status: "not_suitable", lastStep: { from: "to_invite", to: "not_suitable" } });
  const found = known?.leftAt ?? "";
  expect(found > theCase.createdAt).toBe(true);
  const { version } = await carl.api.cases.get.query({ id: theCase.id });
  const change = { id: theCase.id, version, partyId: p2.partyId, role: p2.role, side: p2.side };
  const answers = [
    await carl.api.cases.get.query({ id: theCase.id }),
    ...(await carl.api.cases.ofClient.query({ id: first.id })).items,
    await carl.api.casework.updateParty.mutate({ ...change, consentedOn: "", representativeContactIds: [] }),
  ];
  for (const answer of answers) {
    const { createdAt } = answer;
    expect(partyOf(answer)).toMatchObject({
      status: "not_suitable",
      statusSince: createdAt,
      leftAt: createdAt,
      lastStep: null,
      assessedOn: "",
      absences: [],
    });
    expect(partyOf(answer, p2.partyId)?.leftAt).toBeNull();
    const moments = JSON.stringify(answer).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
    expect(moments.filter((moment) => moment >= found)).toEqual([]);
  }
});

test("cases: what was found of a party who withdrew then is told as it was, and not to somebody without screening.read", async () => {
  const { theCase, p1 } = await aCase(practice, {}, { isScreened: false });
  const carl = await aStaffUser(app, practice, { permissions: PERMISSIONS });
  await practice.api.screenings.complete.mutate({ ...aScreening(theCase, p1.partyId), ...NOT_SAFE, id: newId() });
  const foundBy = async ({ api }: Pick<typeof practice, "api">) => {
    const { parties } = await api.cases.get.query({ id: theCase.id });
    const { status, assessedAs, assessedOn } = only(parties.filter(({ partyId }) => partyId === p1.partyId));
    return { status, assessedAs, isDated: assessedOn !== "" };
  };
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const step = { id: theCase.id, version, partyId: p1.partyId, to: "withdrawn" as const, on: "2026-01-05" };
  await practice.api.casework.moveParty.mutate({ ...step, reason: "They rang", isOwnDecision: true });
  expect(await foundBy(practice)).toEqual({ status: "withdrawn", assessedAs: "not_suitable", isDated: true });
  expect(await foundBy(carl)).toEqual({ status: "withdrawn", assessedAs: null, isDated: false });
});

test("S71: every door: when somebody was found not safe and found safe again, then somebody without screening.read learns of no moment of it, whichever party they ask about", async () => {
  const house = await aPractice(app);
  const target = await aTarget(app, house);
  const place = { id: target.caseId, domain: "family" as const };
  const add = aClient();
  const other = await house.api.clients.create.mutate(add);
  const { version } = await house.api.cases.get.query({ id: target.caseId });
  const added = await house.api.casework.addParty.mutate({
    changeId: newId(),
    id: target.caseId,
    version,
    party: { clientId: other.id, role: "respondent", side: "" },
  });
  const otherId = added.parties.find(({ clientId }) => clientId === other.id)?.partyId ?? "";
  const carl = await aStaffUser(app, house, { permissions: ALL_ELSE });
  await stopJobs();
  const told: string[] = [];
  const partyOf = async () =>
    (await house.api.cases.get.query({ id: target.caseId })).parties.find(({ partyId }) => partyId === target.partyId);
  const look = async (moments: string[], paths: string[]) => {
    const asMade = await takeSnapshot();
    const sides = [target, { ...target, clientId: other.id, partyId: otherId }];
    for (const path of paths)
      for (const ask of sides.flatMap((side) => knock(app, path, side))) {
        const { text } = await ask(carl);
        if (moments.some((moment) => text.includes(moment))) told.push(path);
        if (!queries.has(path)) await putBack(asMade);
      }
  };
  await house.api.screenings.complete.mutate({ ...aScreening(place, target.partyId), ...NOT_SAFE, id: newId() });
  const left = (await partyOf())?.leftAt ?? "";
  expect(left).not.toBe("");
  const doors = [...guarded, ...guardedRoutes].filter((path) => doorOf(path).access === "subscribed");
  await look([left], doors);
  await house.api.screenings.complete.mutate({ ...aScreening(place, target.partyId), id: newId() });
  const absence = (await partyOf())?.absences[0];
  expect(absence?.from).toBe(left);
  await look([left, absence?.to ?? ""], doors);
  expect(told).toEqual([]);
}, 480_000);
