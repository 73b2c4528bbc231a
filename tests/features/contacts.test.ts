import { newId } from "@app/server/core/ids";
import { beforeAll, describe, expect, test } from "vitest";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { aCase, aPractice, aStaffUser, type TestPerson, type TestPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

describe("a contact", () => {
  test("contacts.create: a contact that was added stands in the list and opens by its id", async () => {
    const { api } = await aPractice(app);
    const created = await api.contacts.create.mutate(aContact());
    expect(await api.contacts.list.query({})).toMatchObject({
      total: 1,
      isTotalExact: true,
      items: [{ id: created.id, displayName: "Harriet Lowell", organisation: "Lowell & Finch LLP", caseCount: 0 }],
    });
    expect(await api.contacts.get.query({ id: created.id })).toMatchObject({
      ...contactFields(),
      version: 0,
      links: [],
    });
  });

  test.each([
    ["neither a name nor an organisation", { lastName: "", organisation: "" }, "lastName"],
    ["no role", { roles: [] }, "roles"],
    ["an address that is none", { email: "harriet@" }, "email"],
    ["a note that is too long", { notes: "x".repeat(2001) }, "notes"],
  ])("contacts.create: %s is answered at the field and stores nothing", async (_what, overrides, field) => {
    const { api } = await aPractice(app);
    const refused = await refusal(api.contacts.create.mutate(aContact(overrides)));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", fields: { [field]: expect.any(String) } });
    expect(await api.contacts.list.query({})).toMatchObject({ total: 0 });
  });

  test("contacts.create: an organisation alone is called by its name, and sorts by it", async () => {
    const { api } = await aPractice(app);
    const firm = { firstName: "", lastName: "", organisation: "Anvil Advice" };
    await api.contacts.create.mutate(aContact());
    await api.contacts.create.mutate(aContact(firm));
    const { items } = await api.contacts.list.query({});
    expect(items.map(({ displayName }) => displayName)).toEqual(["Anvil Advice", "Harriet Lowell"]);
  });

  test("contacts.update: of two who edit one version, the second is refused without a word of the first, who is not lost", async () => {
    const practice = await aPractice(app);
    const staff = await aStaffUser(app, practice);
    const { id, version } = await practice.api.contacts.create.mutate(aContact());
    const first = await staff.api.contacts.update.mutate({ id, version, contact: contactFields({ title: "Ms" }) });
    const second = await refusal(
      practice.api.contacts.update.mutate({ id, version, contact: contactFields({ notes: "Mine" }) }),
    );
    expect(first).toMatchObject({ version: 1, title: "Ms" });
    expect(second).toMatchObject({ code: "CONFLICT", isStale: true });
    expect(JSON.stringify(second)).not.toContain("Ms");
    const kept = { version: 1, title: "Ms", notes: "", updatedByName: "Tom Birch" };
    expect(await practice.api.contacts.get.query({ id })).toMatchObject(kept);
  });

  test("contacts.setStatus: archiving takes the contact off the list and can be undone", async () => {
    const { api } = await aPractice(app);
    const { id } = await api.contacts.create.mutate(aContact());
    expect(await api.contacts.setStatus.mutate({ ids: [id], status: "archived" })).toEqual({ changed: 1 });
    expect(await api.contacts.setStatus.mutate({ ids: [id], status: "archived" })).toEqual({ changed: 0 });
    expect(await api.contacts.list.query({})).toMatchObject({ total: 0 });
    expect(await api.contacts.list.query({ status: "archived" })).toMatchObject({ total: 1, items: [{ id }] });
    await api.contacts.setStatus.mutate({ ids: [id], status: "active" });
    expect(await api.contacts.list.query({})).toMatchObject({ total: 1 });
  });
});

describe("the list", () => {
  let practice: TestPractice;
  beforeAll(async () => {
    practice = await aPractice(app);
    await practice.api.contacts.create.mutate(aContact({ lastName: "Lindqvïst-Moss" }));
    await practice.api.contacts.create.mutate(
      aContact({
        roles: ["interpreter", "expert"],
        firstName: "Adaeze",
        lastName: "Okoro",
        organisation: "",
        email: "adaeze@example.org",
        phones: [],
        address: { lines: [], postcode: "", country: "" },
        reference: "",
      }),
    );
  });

  test.each([
    ["a last name without its accents", "lindqvist"],
    ["the second half of a double name", "moss"],
    ["both names in any order", "lindqv harr"],
    ["a firm", "finch"],
    ["a phone number with spaces", "0113 496 0142"],
    ["a postcode without its space", "ls14dt"],
    ["a reference", "dx 12034"],
    ["an e-mail address", "harriet@"],
  ])("contacts.list: %s finds the contact and nobody else", async (_what, search) => {
    const { items, total } = await practice.api.contacts.list.query({ search });
    expect(items.map(({ displayName }) => displayName)).toEqual(["Harriet Lindqvïst-Moss"]);
    expect(total).toBe(1);
  });

  test.each([".*", "^(a+)+$", "$ne", "("])("contacts.list: %s is searched for as it stands", async (search) => {
    expect((await practice.api.contacts.list.query({ search })).items).toEqual([]);
  });

  test("contacts.list: a role narrows to those who have it, also as one of several", async () => {
    const { items } = await practice.api.contacts.list.query({ role: "expert" });
    expect(items.map(({ displayName }) => displayName)).toEqual(["Adaeze Okoro"]);
  });

  test("contacts.list: pages of 20 follow each other in the order that was asked for, with none twice", async () => {
    const { api } = await aPractice(app);
    for (let index = 0; index < 25; index++) {
      await api.contacts.create.mutate(aContact({ organisation: `Firm ${String(index).padStart(2, "0")}` }));
    }
    const query = { sort: "organisation", isDescending: true } as const;
    const pages = await Promise.all([1, 2].map((page) => api.contacts.list.query({ ...query, page })));
    const firms = pages.flatMap(({ items }) => items.map(({ organisation }) => organisation));
    expect(pages.map(({ items }) => items.length)).toEqual([20, 5]);
    expect(firms).toEqual([...new Set(firms)].toSorted().toReversed());
  });

  test("search.find: a contact is found by the global search with the firm beside the name", async () => {
    const { items } = await practice.api.search.find.query({ text: "lindqvist" });
    expect(items).toMatchObject([{ kind: "contact", title: "Harriet Lindqvïst-Moss", detail: "Lowell & Finch LLP" }]);
  });
});

describe("the export", () => {
  const exportFor = (person: TestPerson, query: string) =>
    fetch(`${app.url}/export/contacts.csv?${query}`, {
      headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
    });

  test("export: it holds what the list shows for the same filter, and no formula", async () => {
    const practice = await aPractice(app);
    await practice.api.contacts.create.mutate(aContact({ notes: "=HYPERLINK(1)", lastName: "Ash" }));
    await practice.api.contacts.create.mutate(aContact({ roles: ["expert"], lastName: "Beech" }));
    const text = await (await exportFor(practice, "role=solicitor&sort=name")).text();
    expect(text.trim().split("\r\n")).toHaveLength(2);
    expect(text).toContain("Solicitor,,Harriet,Ash,Lowell & Finch LLP");
    expect(text).toContain("'=HYPERLINK(1)");
  });

  test("export: staff without the permission to export are refused, and a filter that is none too", async () => {
    const practice = await aPractice(app);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect((await exportFor(staff, "")).status).toBe(403);
    expect((await exportFor(practice, "role=king")).status).toBe(400);
  });
});

describe("the conflict check", () => {
  test("conflicts.search: a contact who is alike is found, with the case they belong to", async () => {
    const practice = await aPractice(app);
    const { theCase, p1 } = await aCase(practice);
    const { id } = await practice.api.contacts.create.mutate(aContact());
    await practice.api.contacts.link.mutate({
      changeId: newId(),
      id,
      caseId: theCase.id,
      role: "solicitor",
      partyId: p1.partyId,
    });
    const nothing = { knownAs: "", organisation: "", email: "", phones: [], dateOfBirth: "" };
    const { items } = await practice.api.conflicts.search.query({
      term: { ...nothing, firstName: "Hariet", lastName: "Lowel" },
    });
    expect(items).toMatchObject([{ kind: "contact", id, fields: ["name"], caseRefs: [theCase.caseRef] }]);
  });
});

test("contacts: staff who see only their cases see the contacts of those, and those of nobody's", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice, {
    role: 2,
    permissions: ["clients.read", "clients.write", "assigned_only"],
  });
  const { items: people } = await practice.api.staff.list.query();
  const userId = people.find(({ email }) => email === staff.email)?.id ?? "";
  const mine = await aCase(practice, { mediators: [{ userId, isLead: true }] });
  const foreign = await aCase(practice);
  const names = ["Own", "Foreign", "Both", "Free"];
  const [own, hidden, both] = await Promise.all(
    names.map((lastName) => practice.api.contacts.create.mutate(aContact({ lastName, roles: ["solicitor"] }))),
  );
  const link = (id = "", caseId = "") =>
    practice.api.contacts.link.mutate({ changeId: newId(), id, caseId, role: "solicitor", partyId: null });
  await link(own?.id, mine.theCase.id);
  await link(hidden?.id, foreign.theCase.id);
  await link(both?.id, mine.theCase.id);
  await link(both?.id, foreign.theCase.id);

  const { items, total } = await staff.api.contacts.list.query({});
  expect(items.map(({ displayName, caseCount }) => [displayName, caseCount])).toEqual([
    ["Harriet Both", 1],
    ["Harriet Free", 0],
    ["Harriet Own", 1],
  ]);
  expect(total).toBe(3);
  const id = hidden?.id ?? "";
  expect((await refusal(staff.api.contacts.get.query({ id }))).code).toBe("NOT_FOUND");
  const update = staff.api.contacts.update.mutate({ id, version: 0, contact: contactFields() });
  expect((await refusal(update)).code).toBe("NOT_FOUND");
  expect(await staff.api.contacts.setStatus.mutate({ ids: [id], status: "archived" })).toEqual({ changed: 0 });
  const { links } = await staff.api.contacts.get.query({ id: both?.id ?? "" });
  expect(links.map(({ caseId }) => caseId)).toEqual([mine.theCase.id]);
  const ofForeign = staff.api.contacts.ofCase.query({ id: foreign.theCase.id });
  expect((await refusal(ofForeign)).code).toBe("NOT_FOUND");
  expect((await staff.api.search.find.query({ text: "harriet" })).items).toHaveLength(3);
});
