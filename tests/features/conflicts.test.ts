import { newId } from "@app/server/core/ids";
import { likeness, lookupKeys, NAME_THRESHOLD, storedKeys } from "@app/server/core/likeness";
import type { ConflictTerm } from "@app/shared/conflicts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCase, aClient, clientFields, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

let app: TestApp;
let practice: TestPractice;
beforeAll(async () => {
  app = await startTestApp();
  practice = await aPractice(app);
});
afterAll(() => app.close());

const aTerm = (overrides: Partial<ConflictTerm> = {}): ConflictTerm => ({
  firstName: "",
  lastName: "",
  knownAs: "",
  organisation: "",
  email: "",
  phones: [],
  dateOfBirth: "",
  ...overrides,
});

const named = (firstName: string, lastName: string) => aTerm({ firstName, lastName });

test.each([
  ["accents", named("Zoë", "Müller"), named("Zoe", "Muller")],
  ["upper case", named("zoe", "muller"), named("ZOE", "MULLER")],
  ["a typing error in the surname", named("Maya", "Ellery"), named("Maya", "Elery")],
  ["two letters the wrong way round", named("Maya", "Ellery"), named("Maya", "Ellrey")],
  ["a nickname", named("William", "Thorne"), named("Bill", "Thorne")],
  ["another nickname", named("Elizabeth", "Moss"), named("Beth", "Moss")],
  ["the same sound", named("Catherine", "Philips"), named("Katherine", "Phillips")],
  ["a double surname", named("Rosalind", "Mehta-Voss"), named("Rosalind", "Voss")],
  ["the names the wrong way round", named("Callan", "Saoirse"), named("Saoirse", "Callan")],
  ["the names the wrong way round, and a letter too many", named("Callan", "Saoirse"), named("Saoirsie", "Callan")],
  ["two typing errors in the surname", named("Priya", "Nandakumar"), named("Priya", "Nandalunar")],
  ["two typing errors in a short surname", named("Tom", "Birch"), named("Tom", "Bisrh")],
  [
    "a married name",
    aTerm({ firstName: "Maya", lastName: "Ellery", dateOfBirth: "1984-03-02" }),
    aTerm({ firstName: "Maya", lastName: "Thorne", dateOfBirth: "1984-03-02" }),
  ],
  ["an apostrophe", named("Sean", "O’Neill"), named("Sean", "ONeill")],
  ["the same address", aTerm({ email: "A@example.org" }), aTerm({ lastName: "Other", email: "a@example.org" })],
  ["the same phone number", aTerm({ phones: ["+44 7700 900142"] }), aTerm({ phones: ["07700900142"] })],
])("likeness: %s makes two records alike, and they share a key", (_why, one, other) => {
  expect(likeness(one, other).score).toBeGreaterThanOrEqual(NAME_THRESHOLD);
  for (const [looked, stored] of [
    [one, other],
    [other, one],
  ] as const)
    expect(lookupKeys(looked).some((key) => storedKeys(stored).includes(key))).toBe(true);
});

test.each([
  ["another person", named("Maya", "Ellery"), named("Tobias", "Arkwright")],
  ["a brother", named("Daniel", "Ellery"), named("Tobias", "Ellery")],
  ["nobody", aTerm(), aTerm()],
  [
    "a twin",
    aTerm({ firstName: "Maya", lastName: "Ellery", dateOfBirth: "1984-03-02" }),
    aTerm({ firstName: "Tobias", lastName: "Thorne", dateOfBirth: "1984-03-02" }),
  ],
  ["a namesake", named("Maya", "Ellery"), named("Maya", "Thorne")],
])("likeness: %s is not alike", (_why, one, other) => {
  expect(likeness(one, other).score).toBeLessThan(NAME_THRESHOLD);
});

test("conflicts.search: finds who is alike on the other side, with the case, the likeliest first", async () => {
  const { second, theCase } = await aCase(practice);
  const { items } = await practice.api.conflicts.search.query({
    term: aTerm({ firstName: "Owen", lastName: second.lastName.slice(0, -2), email: second.email }),
  });
  expect(items[0]).toMatchObject({ id: second.id, score: 1, caseRefs: [theCase.caseRef] });
  expect(items.map(({ score }) => score)).toEqual(items.map(({ score }) => score).toSorted((a, b) => b - a));
});

test("conflicts.search: an archived client is still found, another practice's never", async () => {
  const gone = await practice.api.clients.create.mutate(
    aClient({ firstName: "Aled", lastName: "Rhydderch", email: "" }),
  );
  await practice.api.clients.setStatus.mutate({ ids: [gone.id], status: "archived" });
  const term = aTerm({ firstName: "Aled", lastName: "Rhyderch" });
  expect((await practice.api.conflicts.search.query({ term })).items.map(({ id }) => id)).toEqual([gone.id]);
  const other = await aPractice(app);
  expect((await other.api.conflicts.search.query({ term })).items).toEqual([]);
});

test("conflicts.search: somebody who sees only their own cases is still warned that there is another, unnamed", async () => {
  const { first } = await aCase(practice);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
  const found = await staff.api.conflicts.search.query({ term: aTerm({ email: first.email }) });
  expect(found).toEqual({ items: [], hiddenCount: 1 });
});

test("conflicts.ofCase: a changed name makes the decision outdated", async () => {
  const { theCase, first } = await aCase(practice);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const current = await practice.api.clients.get.query({ id: first.id });
  const client = clientFields({ firstName: "Somebody", lastName: "Else", email: first.email, phones: [] });
  await practice.api.clients.update.mutate({ id: first.id, version: current.version, client });
  const { latest } = await practice.api.conflicts.ofCase.query({ id: theCase.id });
  expect(latest).toMatchObject({ isOutdated: true });
});
