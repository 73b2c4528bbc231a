import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, clientFields } from "../support/server/people.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TRPCClientError) return error;
  throw new Error("the call was not refused");
}

test("clients.create: a client that was added stands in the list and opens by its id", async () => {
  const { api } = await aPractice(app);
  const created = await api.clients.create.mutate(aClient());
  const list = await api.clients.list.query({});
  expect(list).toMatchObject({ total: 1, isTotalExact: true, items: [{ id: created.id, displayName: "Maya Ellery" }] });
  expect(await api.clients.get.query({ id: created.id })).toMatchObject({ email: "maya@example.org", version: 0 });
});

test("clients.create: bad input is answered field by field and stores nothing", async () => {
  const { api } = await aPractice(app);
  const bad = aClient({
    firstName: "",
    email: "maya@",
    dateOfBirth: "2999-01-01",
    safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: "x".repeat(41) },
  });
  const refusal = await refusalOf(api.clients.create.mutate(bad));
  expect(refusal.data).toMatchObject({
    code: "BAD_REQUEST",
    fieldErrors: {
      email: expect.stringContaining("name@example.org"),
      "safeContact.codeWord": "Use at most 40 characters",
    },
  });
  const missingName = await refusalOf(api.clients.create.mutate(aClient({ firstName: "" })));
  expect(missingName.data?.fieldErrors).toEqual({ firstName: "Enter a first name" });
  expect(await api.clients.list.query({})).toMatchObject({ total: 0, items: [] });
});

test.each([
  ["a first name in another case", "MAYA"],
  ["a last name without its accents", "lindqvist"],
  ["both names in any order", "lindqvist maya"],
  ["a phone number with spaces", "07700 900 142"],
  ["its last digits", "900142"],
  ["an e-mail address", "maya@ex"],
  ["a postcode", "ls6"],
])("clients.list: %s finds the client and nobody else", async (_what, search) => {
  const { api } = await aPractice(app);
  await api.clients.create.mutate(aClient({ lastName: "Lindqvïst" }));
  await api.clients.create.mutate(
    aClient({
      firstName: "Owen",
      lastName: "Castell",
      email: "owen@example.org",
      phones: [],
      address: { lines: [], postcode: "", country: "" },
    }),
  );
  const { items } = await api.clients.list.query({ search });
  expect(items.map((item) => item.displayName)).toEqual(["Maya Lindqvïst"]);
});

test.each([".*", "^(a+)+$", "%", "\\", "$ne", "("])("clients.list: %s is searched for as it stands", async (search) => {
  const { api } = await aPractice(app);
  await api.clients.create.mutate(aClient());
  expect((await api.clients.list.query({ search })).items).toEqual([]);
});

test("clients.list: pages of 20 follow each other in the order that was asked for, with none twice", async () => {
  const { api } = await aPractice(app);
  for (let index = 0; index < 45; index++) {
    await api.clients.create.mutate(aClient({ lastName: `Ellery ${String(index).padStart(2, "0")}` }));
  }
  const pages = await Promise.all([1, 2, 3].map((page) => api.clients.list.query({ page, isDescending: true })));
  const names = pages.flatMap((page) => page.items.map((item) => item.displayName));
  expect(pages.map((page) => page.items.length)).toEqual([20, 20, 5]);
  expect(names).toEqual([...new Set(names)].toSorted().toReversed());
  expect(pages[0]?.total).toBe(45);
});

test("clients.list: filters narrow to those with a safe-contact rule, and count them", async () => {
  const { api } = await aPractice(app);
  await api.clients.create.mutate(aClient());
  await api.clients.create.mutate(
    aClient({ firstName: "Aled", safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" } }),
  );
  const list = await api.clients.list.query({ safety: "restricted" });
  expect(list).toMatchObject({ total: 1, items: [{ displayName: "Aled Ellery", hasCodeWord: true }] });
  expect(JSON.stringify(list)).not.toContain("heron");
});

test("clients.update: of two who edit the same version, the second is refused without a word of the first, who is not lost", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  const { id, version } = await practice.api.clients.create.mutate(aClient());
  const first = await staff.api.clients.update.mutate({ id, version, client: clientFields({ knownAs: "May" }) });
  const late = practice.api.clients.update.mutate({ id, version, client: clientFields({ title: "Dr" }) });
  const second = await refusalOf(late);
  expect(first).toMatchObject({ version: 1, knownAs: "May" });
  expect(second.data).toMatchObject({ code: "CONFLICT", isStale: true });
  expect(JSON.stringify([second.message, second.data])).not.toContain("May");
  expect(await practice.api.clients.get.query({ id })).toMatchObject({
    version: 1,
    knownAs: "May",
    title: "",
    updatedByName: "Tom Birch",
  });
  const merged = await practice.api.clients.update.mutate({
    id,
    version: 1,
    client: clientFields({ title: "Dr", knownAs: "May" }),
  });
  expect(merged).toMatchObject({ version: 2, title: "Dr", knownAs: "May" });
});

test("clients.update: of 20 saves of one version at once exactly one is kept", async () => {
  const { api } = await aPractice(app);
  const { id, version } = await api.clients.create.mutate(aClient());
  const saves = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      api.clients.update.mutate({ id, version, client: clientFields({ knownAs: `May ${index}` }) }),
    ),
  );
  expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("clients.setStatus: archiving moves the client to the archive and both totals with it, and can be undone", async () => {
  const { api } = await aPractice(app);
  const { id } = await api.clients.create.mutate(aClient());
  expect(await api.clients.setStatus.mutate({ ids: [id], status: "archived" })).toEqual({ changed: 1 });
  expect(await api.clients.list.query({})).toMatchObject({ total: 0, items: [] });
  expect(await api.clients.list.query({ status: "archived" })).toMatchObject({ total: 1, items: [{ id }] });
  expect(await api.clients.setStatus.mutate({ ids: [id], status: "archived" })).toEqual({ changed: 0 });
  await api.clients.setStatus.mutate({ ids: [id], status: "active" });
  expect(await api.clients.list.query({})).toMatchObject({ total: 1 });
});

test("clients.list: staff who see only their own clients see those they added, and no total of the others", async () => {
  const practice = await aPractice(app);
  const { id } = await practice.api.clients.create.mutate(aClient());
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
  expect(await staff.api.clients.list.query({})).toMatchObject({ total: 0, items: [] });
  expect((await refusalOf(staff.api.clients.get.query({ id }))).data?.code).toBe("NOT_FOUND");
  await staff.api.clients.create.mutate(aClient({ firstName: "Owen" }));
  expect(await staff.api.clients.list.query({})).toMatchObject({ total: 1, items: [{ displayName: "Owen Ellery" }] });
});

test("clients.csv: holds what the filter shows, in its order, and no cell that a spreadsheet would run", async () => {
  const practice = await aPractice(app);
  await practice.api.clients.create.mutate(aClient({ lastName: "Zeal", tags: ["=1+1"] }));
  await practice.api.clients.create.mutate(aClient({ kind: "organisation", organisation: '=HYPERLINK("x")' }));
  const response = await fetch(`${app.url}/export/clients.csv?sort=name`, { headers: { cookie: practice.cookies() } });
  const lines = (await response.text()).trim().split("\r\n");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^"'=HYPERLINK\(""x""\)",organisation,/);
  expect(lines[2]).toContain(",'=1+1,");
});

test("export: the record of one case, when a client has two, then it holds that one and no other", async () => {
  const practice = await aPractice(app);
  const { theCase: one, first, second } = await aCase(practice);
  const two = await practice.api.casework.create.mutate(aCaseInput([first.id, second.id]));
  const record = (query: string) => pdfText(app, practice, `/export/clients/${first.id}.pdf${query}`);
  const ref = ({ caseRef }: { caseRef: string }) => caseRef.toLowerCase();
  const both = await record("");
  expect([both.includes(ref(one)), both.includes(ref(two))]).toEqual([true, true]);
  const alone = await record(`?case=${one.id}`);
  expect([alone.includes(ref(one)), alone.includes(ref(two))]).toEqual([true, false]);
});
