// What is found by words with a slip in them, by numbers in another form, and whose each thing is.
import { storeFile } from "@app/server/features/files/files.service";
import { caucusOf, PRACTICE_ONLY } from "@app/shared/visibility";
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  scopeOf,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const phone = (number: string) => [{ type: "mobile" as const, number, isPreferred: true }];

const namesFound = async (person: TestPerson, text: string) =>
  (await person.api.search.find.query({ text })).items.map(({ title }) => title);

describe("slips", () => {
  beforeAll(async () => {
    const people = [
      ["Michael", "Kowalczyk"],
      ["Oluwaseun", "Featherstonehaugh"],
      ["José", "Núñez"],
      ["Ian", "Yeo"],
    ];
    for (const [firstName = "", lastName = ""] of people)
      await practice.api.clients.create.mutate(aClient({ firstName, lastName, email: "", phones: [] }));
  });

  test.each([
    ["one letter is in its neighbour's place", "Micheal", "Michael Kowalczyk"],
    ["one letter is missing", "kowalczk", "Michael Kowalczyk"],
    ["one letter is too many", "Micchael", "Michael Kowalczyk"],
    ["one letter is wrong", "Michaek", "Michael Kowalczyk"],
    ["the first letter is wrong", "Nichael", "Michael Kowalczyk"],
    ["two letters of a long word are wrong", "Kowelczik", "Michael Kowalczyk"],
    ["one of two words is mistyped", "michael kowalzcyk", "Michael Kowalczyk"],
    ["a letter is missing, and accents too", "nuez", "José Núñez"],
    ["two letters of a very long word are missing", "fetherstonehaug", "Oluwaseun Featherstonehaugh"],
  ])("search.find: when %s, then who was meant is found, and that it is near is said", async (_slip, text, name) => {
    const found = await practice.api.search.find.query({ text });
    expect(found.items.map(({ title }) => title)).toEqual([name]);
    expect(found.isNear).toBe(true);
  });

  test("search.find: what is typed as it is kept finds that alone, and is not said to be near", async () => {
    const other = aClient({ firstName: "Micheala", lastName: "Kovalczyk", email: "" });
    await practice.api.clients.create.mutate(other);
    const found = await practice.api.search.find.query({ text: "kowalczyk" });
    expect(found).toMatchObject({ items: [{ title: "Michael Kowalczyk" }], isNear: false });
  });

  test("search.find: neither a short word nor a number nor two slips in a word of seven letters are forgiven", async () => {
    for (const text of ["Jan", "Yep", "Ochaels", "Michock", "07700 900199"])
      expect(await namesFound(practice, text)).toEqual([]);
  });

  test("search.find: who sees only their own cases finds nobody else's client by a slip, and no near file", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
    expect(await namesFound(person, "Micheal")).toEqual([]);
    expect(await namesFound(practice, "Micheal")).not.toEqual([]);
  });

  test("search.find: a case is found by a party's mistyped name", async () => {
    const ruth = aClient({ firstName: "Ruth", lastName: "Abernethy", email: "" });
    const client = await practice.api.clients.create.mutate(ruth);
    const { caseRef } = await practice.api.casework.create.mutate(aCaseInput([client.id]));
    const { items } = await practice.api.search.find.query({ text: "Abernehty" });
    expect(items.map(({ kind, title }) => `${kind} ${title}`)).toEqual(["client Ruth Abernethy", `case ${caseRef}`]);
  });
});

describe("numbers", () => {
  beforeAll(async () => {
    const people = [
      ["Home", "07700 900111"],
      ["Abroad", "+44 7700 900222"],
      ["Both", "+44 (0)7700 900333"],
      ["Dublin", "+353 86 123 4567"],
    ];
    for (const [firstName = "", number = ""] of people)
      await practice.api.clients.create.mutate(
        aClient({ firstName, lastName: "Caller", email: "", phones: phone(number) }),
      );
  });

  test.each([
    ["+44 7700 900111", "Home Caller"],
    ["00447700900111", "Home Caller"],
    ["+44 (0)7700 900111", "Home Caller"],
    ["447700900111", "Home Caller"],
    ["+44 7700 90011", "Home Caller"],
    ["07700 900222", "Abroad Caller"],
    ["07700900333", "Both Caller"],
    ["+447700900333", "Both Caller"],
    ["086 1234567", "Dublin Caller"],
    ["900111", "Home Caller"],
  ])("search.find: %s finds the one whose number that is", async (text, name) => {
    expect(await namesFound(practice, text)).toEqual([name]);
    const { items } = await practice.api.clients.list.query({ search: text });
    expect(items.map(({ displayName }) => displayName)).toEqual([name]);
  });
});

describe("whose it is", () => {
  const fileOf = async (
    upload: { clientId: string | null; caseId: string | null; name: string },
    visibility = PRACTICE_ONLY,
  ) => storeFile(scopeOf(practice.ownerId), Readable.from(["hello"]), { id: newId(), ...upload, visibility });

  test("search.find: a client's file says whose it is, a case's which case and who is in it", async () => {
    const { theCase, first, second } = await aCase(practice);
    await fileOf({ clientId: first.id, caseId: null, name: "wombat-passport.txt" });
    await fileOf({ clientId: null, caseId: theCase.id, name: "wombat-lease.txt" });
    const { items } = await practice.api.search.find.query({ text: "wombat" });
    const of = (name: string) => items.find(({ title }) => title === name);
    expect(of("wombat-passport.txt")).toMatchObject({ detail: first.displayName, clientId: first.id });
    expect(of("wombat-lease.txt")).toMatchObject({
      detail: `${theCase.caseRef} · ${first.displayName}, ${second.displayName}`,
      clientId: first.id,
    });
  });

  test("search.find: a confidence is found neither by its name nor by one that is near, by whom it is kept from", async () => {
    const { theCase, p1 } = await aCase(practice);
    await fileOf({ clientId: null, caseId: theCase.id, name: "aardvark-confided.txt" }, caucusOf(p1.partyId));
    const staff = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "documents.manage"] });
    for (const text of ["aardvark", "aardvrak"]) {
      expect(await namesFound(practice, text)).toEqual(["aardvark-confided.txt"]);
      expect(await namesFound(staff, text)).toEqual([]);
    }
  });
});
