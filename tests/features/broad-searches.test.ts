// A search that finds much is answered by another index than one that finds little, and must answer the same.
import { createCases } from "@app/server/features/cases/cases.service";
import { createClients } from "@app/server/features/clients/clients.service";
import { beforeAll, expect, test } from "vitest";
import { aCaseInput, aClient, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const CLIENTS = 520;
const CASES = 230;

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  const scope = scopeOf(practice.ownerId);
  const clients = await createClients(
    scope,
    Array.from({ length: CLIENTS }, (_, index) =>
      aClient({ firstName: `Mo${letters(index)}`, lastName: index % 26 === 0 ? "Quayle" : "Ridley", email: "" }),
    ),
  );
  const pairs = Array.from({ length: CASES }, (_, index) =>
    clients.slice(index * 2, index * 2 + 2).map(({ id }) => id),
  );
  // One after the other in time, so that the newest are known.
  for (const start of [0, 100, 200])
    await createCases(
      scope,
      pairs.slice(start, start + 100).map((pair) => aCaseInput(pair)),
    );
});

function letters(index: number): string {
  return [Math.floor(index / 26), index % 26].map((digit) => String.fromCharCode(97 + digit)).join("");
}

async function allPages(search: string): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await practice.api.clients.list.query({ search, page });
    if (items.length === 0) return names;
    names.push(...items.map(({ displayName }) => displayName));
  }
}

const byName = (names: string[]) => names.map((name) => name.split(" ").toReversed().join(" "));

test("clients.list: a search that finds all of 520 gives each once, in the order of their names", async () => {
  const names = await allPages("mo");
  expect(names).toHaveLength(CLIENTS);
  expect(new Set(names).size).toBe(CLIENTS);
  expect(byName(names)).toEqual(byName(names).toSorted());
  expect(await practice.api.clients.list.query({ search: "mo" })).toMatchObject({ total: CLIENTS, isTotalExact: true });
});

test("clients.list: one that finds twenty, or two words, gives each once, in the order of their names", async () => {
  const names = await allPages("quayle");
  expect(names).toHaveLength(20);
  expect(byName(names)).toEqual(byName(names).toSorted());
  expect(await allPages("mo ridley moab")).toEqual(["Moab Ridley"]);
});

test("cases.list: a search that finds all of 230 counts them, and begins with the newest", async () => {
  const { items } = await practice.api.cases.list.query({});
  const [newest] = items;
  const year = newest?.caseRef.split("-").at(-2) ?? "";
  const found = await practice.api.cases.list.query({ search: year });
  expect(found).toMatchObject({ total: CASES, isTotalExact: true });
  expect(found.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  const hits = await practice.api.search.find.query({ text: year });
  const cases = hits.items.filter(({ kind }) => kind === "case");
  expect(cases.map(({ id }) => id)).toEqual(items.slice(0, cases.length).map(({ id }) => id));
});

test("cases.list: by the whole reference, and by the name of a party, it finds that one", async () => {
  const { items } = await practice.api.cases.list.query({ page: 3 });
  const [one] = items;
  const [party] = one?.parties ?? [];
  expect(party).toBeDefined();
  for (const search of [one?.caseRef ?? "", party?.name ?? ""]) {
    const found = await practice.api.cases.list.query({ search });
    expect(found.items.map(({ id }) => id)).toEqual([one?.id]);
    expect(found).toMatchObject({ total: 1, isTotalExact: true });
  }
});

// The last, because it adds to what the others count.
test("search.find: somebody with assigned cases only finds theirs, however many others come first", async () => {
  const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
  const own = await person.api.clients.create.mutate(aClient({ firstName: "Mozart", lastName: "Ridley", email: "" }));
  const theirs = await person.api.casework.create.mutate(aCaseInput([own.id]));
  const { items } = await person.api.search.find.query({ text: "Ridley" });
  expect(items.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual([`case ${theirs.id}`, `client ${own.id}`]);
});
