import { newId } from "@app/server/core/ids";
import { likeness, lookupKeys, NAME_THRESHOLD, storedKeys } from "@app/server/core/likeness";
import type { ConflictTerm } from "@app/shared/conflicts";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import {
  aCase,
  aCaseInput,
  aClient,
  clientFields,
  aPractice,
  aStaffUser,
  type TestPractice,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aTerm } from "../support/visibility/conflict-terms.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

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
  expect(found).toEqual({ items: [], hiddenCount: 1, isCut: false });
});

/** As many clients as one surname rarely has, each with a phone number of their own. */
async function namesakes(own: TestPractice, howMany: number) {
  const fields = { firstName: "Maya", lastName: "Ellery", email: "", phones: [] };
  const { id } = await own.api.clients.create.mutate(aClient(fields));
  const clients = mongoose.connection.collection<{ _id: string; matchKeys: string[] }>("clients");
  const stored = await clients.findOne({ _id: id });
  if (!stored) throw new Error("the client is not stored");
  await clients.insertMany(
    Array.from({ length: howMany }, (_, index) => ({
      ...stored,
      _id: newId(),
      matchKeys: [...stored.matchKeys, `p:${String(700_000_000 + index)}`],
    })),
  );
}

test("conflicts.search: 1,100 people of one name, when one has the phone number, email or birth date, then that one stands first and the rest is said to be cut", async () => {
  const own = await aPractice(app);
  await namesakes(own, 1100);
  const phones = [{ type: "mobile" as const, number: "07700 900142", isPreferred: true }];
  const known = { email: "maya@example.org", dateOfBirth: "1984-03-02", phones };
  const one = await own.api.clients.create.mutate(aClient({ firstName: "Maya", lastName: "Ellery", ...known }));
  const name = { firstName: "Maya", lastName: "Ellery" };
  const search = (term: Partial<ConflictTerm>) => own.api.conflicts.search.query({ term: aTerm(term) });
  for (const exact of [{ phones: ["+44 7700 900142"] }, { email: "maya@example.org" }, { dateOfBirth: "1984-03-02" }]) {
    const { items, isCut } = await search({ ...name, ...exact });
    expect(items[0]?.id).toBe(one.id);
    expect(isCut).toBe(true);
  }
  expect(await search(named("Tobias", "Arkwright"))).toEqual({ items: [], hiddenCount: 0, isCut: false });
});

test("conflicts.decide: a check of a name that too many have, when it is decided, then the decision and the history say so", async () => {
  const own = await aPractice(app);
  await namesakes(own, 1100);
  const party = await own.api.clients.create.mutate(aClient({ firstName: "Maya", lastName: "Ellery", email: "" }));
  const { id: caseId } = await own.api.casework.create.mutate(aCaseInput([party.id]));
  const { latest } = await own.api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
  expect(latest).toMatchObject({ decision: "clear", isCut: true });
  const { items } = await own.api.timeline.list.query({ caseId, page: 1 });
  expect(items.map(({ text }) => text)).toContain(
    "Conflict check decided: Clear (more records were alike by name than could be looked through)",
  );
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
