// What an import asks of whoever works on it, and what it tells them: as things stand at that moment.
import { newId } from "@app/server/core/ids";
import type { Permission } from "@app/shared/access";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { checked, imported, settled, upload, uploaded } from "../support/hostile/import-uploads.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  clientFields,
  setPermissions,
  type TestPractice,
} from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const IMPORTING: Permission[] = ["clients.read", "clients.write", "data.export"];
const MEETINGS = "Client,Date,Start,End,Type\nmaya@example.org,04/03/2031,09:00,10:00,Mediation\n";

test("S70: an import of meetings without calendar.manage is refused at upload, check, start and undo, one of clients is not", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...IMPORTING, "calendar.manage"] });
  await person.api.clients.create.mutate(aClient());
  const done = await imported(app, person, MEETINGS, { kind: "meetings" });
  expect(done).toMatchObject({ status: "imported", counts: { imported: 1 } });
  const waiting = await uploaded(app, person, MEETINGS.replace("2031", "2032"), { kind: "meetings" });
  const ready = await uploaded(app, person, MEETINGS.replace("2031", "2033"), { kind: "meetings" });
  await checked(person.api, ready);
  await setPermissions(practice, person, IMPORTING);
  expect(await upload(app, person, MEETINGS, { kind: "meetings" })).toMatchObject({
    status: 403,
    body: expect.stringContaining("import meetings"),
  });
  const { check, start, undo, discard } = person.api.imports;
  const { columns, duplicates, dateOrder } = await person.api.imports.get.query({ id: waiting });
  for (const attempt of [
    () => check.mutate({ id: waiting, columns, duplicates, dateOrder }),
    () => start.mutate({ id: ready }),
    () => undo.mutate({ id: done.id, keepsChanged: false }),
  ])
    expect(await refusal(attempt())).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("meetings") });
  await discard.mutate({ id: waiting });
  const list = "First name,Surname\nOwen,Castell";
  expect(await imported(app, person, list)).toMatchObject({ status: "imported", counts: { imported: 1 } });
});

test.each([
  { kind: "meetings" as const, lost: "calendar.manage" as const, file: MEETINGS.replace("2031", "2034") },
  { kind: "clients" as const, lost: "clients.read" as const, file: "First name,Surname\nPiece,Reader" },
])("S70: a piece of an import of $kind, once $lost is taken away, is not worked on", async ({ kind, lost, file }) => {
  const all: Permission[] = [...IMPORTING, "calendar.manage"];
  const person = await aStaffUser(app, practice, { permissions: all });
  const id = await uploaded(app, person, file, { kind });
  await checked(person.api, id);
  await setPermissions(
    practice,
    person,
    all.filter((permission) => permission !== lost),
  );
  // As a process that died leaves it: the next one goes on with it.
  const silent = { status: "importing", done: 0, heldBy: "nobody.now" };
  await mongoose.connection.collection<{ _id: string }>("imports").updateOne({ _id: id }, { $set: silent });
  const stopped = await settled(practice.api, id);
  expect(stopped).toMatchObject({
    failure: expect.stringContaining("may not import any more"),
    counts: { imported: 0 },
  });
});

const CASES = (matter: string, reference = "") =>
  `Reference,Matter,Party 1,Opened on\n${reference},${matter},own@example.org,01/02/2026\n`;

test("S70: an import of cases by somebody with assigned cases only, when one that they do not see is the same, is not told of it", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...IMPORTING, "assigned_only"] });
  const own = await person.api.clients.create.mutate(aClient({ firstName: "Own", email: "own@example.org" }));
  await person.api.casework.create.mutate(aCaseInput([own.id]));
  await imported(app, practice, CASES("Hidden matter", "SECRETREF-9"), { kind: "cases" });
  expect((await practice.api.cases.list.query({})).items.map(({ caseRef }) => caseRef)).toContain("SECRETREF-9");
  const id = await uploaded(app, person, CASES("Hidden matter"), { kind: "cases" });
  expect((await checked(person.api, id)).counts).toMatchObject({ ready: 1, duplicates: 0 });
  await person.api.imports.start.mutate({ id });
  await settled(person.api, id);
  const { items } = await person.api.imports.listProblems.query({ id });
  // Their own client is in a case of others by now, so it is not theirs to bring into another one.
  expect(items).toMatchObject([{ kind: "bad", message: expect.stringContaining("Ask the owner") }]);
  expect(JSON.stringify(items)).not.toContain("SECRETREF");
});

test("S70: imports.undo, listProblems and its CSV, when a client is hidden since, do not tell the new name", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...IMPORTING, "assigned_only"] });
  const done = await imported(app, person, "First name,Surname\nBefore,Hidden\nStill,Seen");
  const { items } = await person.api.clients.list.query({});
  const [hidden, seen] = ["Before Hidden", "Still Seen"].map((name) =>
    items.find(({ displayName }) => displayName === name),
  );
  for (const [client, firstName] of [
    [hidden, "Newname"],
    [seen, "Known"],
  ] as const)
    await practice.api.clients.update.mutate({ client: clientFields({ firstName }), id: client?.id ?? "", version: 0 });
  await mongoose.connection
    .collection<{ _id: string }>("clients")
    .updateOne({ _id: hidden?.id ?? "" }, { $set: { assignedUserIds: [] } });
  const told = async () => {
    const { items: problems } = await person.api.imports.listProblems.query({ id: done.id });
    const csv = await fetch(`${app.url}/export/imports/${done.id}.csv`, { headers: { cookie: person.cookies() } });
    return JSON.stringify(problems) + (await csv.text());
  };
  const asked = await person.api.imports.undo.mutate({ id: done.id, keepsChanged: false });
  expect(asked).toMatchObject({
    outcome: "changed",
    total: 2,
    items: [{ name: "a record you no longer see" }, { name: "Known Ellery" }],
  });
  await person.api.imports.undo.mutate({ id: done.id, keepsChanged: true });
  await settled(person.api, done.id);
  expect(await told()).toContain("Known Ellery");
  expect(await told()).toContain("a record you no longer see");
  expect(await told()).not.toContain("Newname");
  const { items: all } = await practice.api.imports.listProblems.query({ id: done.id });
  expect(all.map(({ value }) => value)).toEqual(["Newname Ellery", "Known Ellery"]);
});

test("S70: listProblems and its CSV, when their reader sees assigned clients only by now, name nobody else's client", async () => {
  const person = await aStaffUser(app, practice, { permissions: IMPORTING });
  await practice.api.clients.create.mutate(
    aClient({ firstName: "Cyril", lastName: "Obsidian", email: "cy@example.org" }),
  );
  const own = await person.api.clients.create.mutate(
    aClient({ firstName: "Olive", lastName: "Ownby", email: "ol@example.org" }),
  );
  const list = "First name,Surname,Email\nCy,Other,cy@example.org\nOl,Other,ol@example.org";
  const { id } = await imported(app, person, list);
  const told = async ({ api, cookies }: Pick<TestPractice, "api" | "cookies">) => {
    const { items } = await api.imports.listProblems.query({ id });
    const csv = await fetch(`${app.url}/export/imports/${id}.csv`, { headers: { cookie: cookies() } });
    return JSON.stringify(items) + (await csv.text());
  };
  expect(await told(person)).toContain("Cyril Obsidian has the same email");
  await setPermissions(practice, person, [...IMPORTING, "assigned_only"]);
  const now = await told(person);
  expect(now).not.toContain("Obsidian");
  expect(now).toContain("A client of the practice has the same email");
  expect(now).toContain("Olive Ownby has the same email");
  expect(own.id).toBeTruthy();
});

test("S70: imports.undo, when a case, a contact or a meeting is hidden since, does not name it", async () => {
  const person = await aStaffUser(app, practice, {
    permissions: [...IMPORTING, "calendar.manage", "assigned_only"],
  });
  await person.api.clients.create.mutate(aClient({ firstName: "Mine", email: "mine@example.org" }));
  const { theCase } = await aCase(practice);
  const cases = await imported(app, person, CASES("Mine").replace("own@", "mine@"), { kind: "cases" });
  const contacts = await imported(app, person, "First name,Surname,Role\nLena,Brook,Solicitor", { kind: "contacts" });
  const meetings = await imported(app, person, MEETINGS.replace("maya@", "mine@").replace("2031", "2035"), {
    kind: "meetings",
  });
  expect([cases, contacts, meetings].map(({ counts }) => counts.imported)).toEqual([1, 1, 1]);
  const stored = (name: string) => mongoose.connection.collection<{ _id: string; ownerId: string }>(name);
  const ofPractice = { ownerId: practice.ownerId };
  await stored("cases").updateMany({ ...ofPractice, matter: "Mine" }, { $set: { assignedUserIds: [], version: 1 } });
  await stored("contacts").updateMany(
    { ...ofPractice, lastName: "Brook" },
    { $set: { caseIds: [theCase.id], version: 1 } },
  );
  await stored("clients").updateMany({ ...ofPractice, firstName: "Mine" }, { $set: { assignedUserIds: [] } });
  await stored("meetings").updateMany(
    { ...ofPractice, startsAt: { $gt: new Date("2035-01-01") } },
    { $set: { version: 1 } },
  );
  for (const { id, kind } of [cases, contacts, meetings]) {
    const answer = await person.api.imports.undo.mutate({ id, keepsChanged: false });
    expect(answer, kind).toMatchObject({ outcome: "changed", items: [{ name: "a record you no longer see" }] });
  }
});

test("S67: an import and invitations of the same addresses, at once, make nobody of them a client and a colleague", async () => {
  const own = await aPractice(app);
  const addresses = Array.from({ length: 300 }, (_, index) => `row${index}@${own.email.split("@")[1]}`);
  const rows = addresses.map((address, index) => `Row,Number${index},${address}`);
  const id = await uploaded(app, own, `First name,Surname,Email\n${rows.join("\n")}`);
  await checked(own.api, id);
  await own.api.imports.start.mutate({ id });
  const invited = addresses.filter((_, index) => index % 20 === 10);
  const asked = await Promise.allSettled(
    invited.map((email) =>
      own.api.staff.invite.mutate({ id: newId(), email, firstName: "Tom", lastName: "Birch", role: 3 }),
    ),
  );
  await settled(own.api, id);
  const colleagues = invited.filter((_, index) => asked[index]?.status === "fulfilled");
  const clients = mongoose.connection.collection("clients");
  const both = await clients.distinct("email", { ownerId: own.ownerId, email: { $in: colleagues } });
  expect(both).toEqual([]);
  expect(colleagues.length + (await clients.countDocuments({ ownerId: own.ownerId }))).toBe(addresses.length);
}, 90_000);
