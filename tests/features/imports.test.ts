import { newId } from "@app/server/core/ids";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { dirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { dumpOf } from "../support/server/dump.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  clientFields,
  setPermissions,
} from "../support/server/people.ts";
import { checked, imported, settled, toldRows, upload, uploaded } from "../support/hostile/import-uploads.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const LIST = [
  "First name,Surname,E-mail,Mobile,DOB,Postcode",
  "Maya,Ellery,maya@example.org,07700 900142,12/04/1985,LS6 2QX",
  "Owen,Castell,owen@example.org,07700 900143,31/02/1985,LS6 2QY",
  ",,,,,",
  "Priya,Nandakumar,MAYA@example.org,,,",
  "Ines,,ines@example.org,,,",
].join("\r\n");

test("imports.check: a list with good and bad rows, then every row is told of and nothing is stored", async () => {
  const practice = await aPractice(app);
  const id = await uploaded(app, practice, LIST);
  const found = await checked(practice.api, id);
  expect(found).toMatchObject({
    status: "checked",
    columns: ["firstName", "lastName", "email", "mobile", "dateOfBirth", "postcode"],
    sizeBytes: Buffer.byteLength(LIST),
    total: 5,
    done: 5,
    counts: { ready: 1, duplicates: 1, bad: 2, empty: 1, imported: 0 },
  });
  const { items } = await practice.api.imports.listProblems.query({ id });
  expect(items).toEqual([
    {
      kind: "bad",
      row: 3,
      column: "DOB",
      value: "31/02/1985",
      message: "There is no such day. Write it as 12/04/1985 or 1985-04-12.",
    },
    { kind: "duplicate", row: 5, column: "E-mail", value: "MAYA@example.org", message: "Row 2 has the same email." },
    { kind: "bad", row: 6, column: "Surname", value: "", message: "Enter a last name" },
  ]);
  expect((await practice.api.clients.list.query({})).total).toBe(0);
});

test("imports.start: a checked list, then its good rows are clients", async () => {
  const practice = await aPractice(app);
  const done = await imported(app, practice, LIST);
  expect(done).toMatchObject({
    status: "imported",
    counts: { ready: 1, duplicates: 1, bad: 2, empty: 1, imported: 1 },
  });
  const { items } = await practice.api.clients.list.query({});
  expect(items.map(({ displayName, email, phone }) => [displayName, email, phone])).toEqual([
    ["Maya Ellery", "maya@example.org", "07700 900142"],
  ]);
});

test("imports.start: a client, then it is stored as the form would have stored it", async () => {
  const practice = await aPractice(app);
  const typed = await practice.api.clients.create.mutate(aClient({ needs: "A ramp", tags: ["court"] }));
  const list = [
    "First name,Surname,DOB,Email,Mobile,Address,Postcode,Country,Needs,Tags",
    "Maya,Ellery,12/04/1985,maya@example.org,07700 900142,4 Kiln Row,LS6 2QX,United Kingdom,A ramp,court",
  ].join("\n");
  await imported(app, practice, list, { duplicates: "import" });
  const stored = await mongoose.connection
    .collection<{ _id: string }>("clients")
    .find({ ownerId: practice.ownerId })
    .toArray();
  const same = (doc: object) => ({ ...doc, _id: "", createdAt: null, updatedAt: null });
  const mine = stored.find(({ _id }) => _id === typed.id);
  const theirs = stored.find(({ _id }) => _id !== typed.id);
  expect(same(theirs ?? {})).toEqual(same(mine ?? {}));
});

test("imports.undo: nothing changed since, then everything is exactly as it was before", async () => {
  const practice = await aPractice(app);
  const { first, second } = await aCase(practice, { mediators: [] });
  const before = await dumpOf(practice.ownerId);
  const clients = await imported(app, practice, LIST);
  const cases = await imported(
    app,
    practice,
    [
      "Reference,Party 1,Party 2,Status",
      "A-1,maya@example.org,,Enquiry",
      `,${first.email},${second.displayName},ready`,
    ].join("\n"),
    { kind: "cases" },
  );
  expect(cases).toMatchObject({ status: "imported", counts: { imported: 2, bad: 0 } });
  const meetings = await imported(
    app,
    practice,
    [
      "Type,Date,Start,End,Case,Client",
      "MIAM,04/03/2031,09:30,10:30,A-1,",
      "Call,2026-01-05,9.30am,,,Maya Ellery",
    ].join("\n"),
    { kind: "meetings" },
  );
  expect(meetings).toMatchObject({ status: "imported", counts: { imported: 2, bad: 0 } });
  expect((await dumpOf(practice.ownerId))["cases"]).toHaveLength(3);
  for (const { id } of [meetings, cases, clients]) {
    expect(await practice.api.imports.undo.mutate({ id, keepsChanged: false })).toEqual({ outcome: "started" });
    expect(await settled(practice.api, id)).toMatchObject({ status: "undone", counts: { kept: 0 } });
  }
  expect(await dumpOf(practice.ownerId)).toEqual(before);
});

test("imports.undo: some were changed or used since, then they are listed, and kept when the rest is undone", async () => {
  const practice = await aPractice(app);
  const list = ["First name,Surname", "Maya,Ellery", "Owen,Castell", "Priya,Nandakumar"].join("\n");
  const { id } = await imported(app, practice, list);
  const { items } = await practice.api.clients.list.query({});
  const [castell, ellery] = items.map((row) => row.id);
  await practice.api.clients.update.mutate({
    id: castell ?? "",
    version: 0,
    client: clientFields({ lastName: "Castell" }),
  });
  await practice.api.casework.create.mutate(aCaseInput([ellery ?? ""]));
  const asked = await practice.api.imports.undo.mutate({ id, keepsChanged: false });
  expect(asked).toEqual({
    outcome: "changed",
    total: 2,
    items: [
      { row: 2, name: "Maya Ellery", reason: "It is in use: other records were added to it after it was imported." },
      { row: 3, name: "Maya Castell", reason: "It was changed after it was imported." },
    ],
  });
  expect((await practice.api.clients.list.query({})).total).toBe(3);
  await practice.api.imports.undo.mutate({ id, keepsChanged: true });
  expect(await settled(practice.api, id)).toMatchObject({ status: "undone", counts: { undone: 1, kept: 2 } });
  expect((await practice.api.clients.list.query({})).items.map((row) => row.displayName)).toEqual([
    "Maya Castell",
    "Maya Ellery",
  ]);
});

test("imports.undo: a mail was begun to one client and a mailing prepared for another, then both are kept", async () => {
  const practice = await aPractice(app);
  const list =
    "First name,Surname,Email\nMaya,Ellery,maya@example.org\nOwen,Castell,owen@example.org\nPriya,Nandakumar,";
  const { id } = await imported(app, practice, list);
  const { items } = await practice.api.clients.list.query({});
  const [castell = "", ellery = ""] = items.map((row) => row.id);
  const text = { subject: "We move", body: richTextOf("To 4 Kiln Row.") };
  const nothing = { to: [], cc: [], fileIds: [], meetingId: null, inReplyTo: "", references: [] };
  await practice.api.compose.saveDraft.mutate({
    ...text,
    ...nothing,
    clientId: ellery,
    caseId: null,
    kept: { id: newId(), version: 0, windowId: newId() },
  });
  const source = { kind: "clients" as const, clientIds: [castell] };
  await practice.api.mailings.create.mutate({ ...text, id: newId(), perMinute: 0, source });
  await practice.api.imports.undo.mutate({ id, keepsChanged: true });
  expect(await settled(practice.api, id)).toMatchObject({ status: "undone", counts: { undone: 1, kept: 2 } });
});

const NEW_TWINS = [
  ["the same email", "Someone,Else,MAYA@example.org,,", "Maya Ellery has the same email."],
  ["the same phone number", "Someone,Else,,+44 7700 900142,", "Maya Ellery has the same phone number."],
  ["the same name and birth date", "MAYA,Éllery,,,12/04/1985", "Maya Ellery has the same name and birth date."],
] as const;

test.each(NEW_TWINS)(
  "imports.check: a client of the practice has %s, then the row is told of and left out",
  async (_what, row, message) => {
    const practice = await aPractice(app);
    await practice.api.clients.create.mutate(aClient());
    const id = await uploaded(app, practice, `First name,Surname,Email,Phone,DOB\n${row}\n`);
    expect((await checked(practice.api, id)).counts).toMatchObject({ ready: 0, duplicates: 1 });
    const { items } = await practice.api.imports.listProblems.query({ id });
    expect(items.map((problem) => problem.message)).toEqual([message]);
    const forced = await checked(practice.api, id, { duplicates: "import" });
    expect(forced.counts).toMatchObject({ ready: 1, duplicates: 0 });
  },
);

test("imports.check: staff who see only their own cases, then nothing tells who else there is", async () => {
  const practice = await aPractice(app);
  await practice.api.clients.create.mutate(aClient());
  const staff = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "data.export", "assigned_only"],
  });
  const id = await uploaded(app, staff, "First name,Surname,Email\nSomeone,Else,maya@example.org\n");
  await checked(staff.api, id);
  expect((await staff.api.imports.listProblems.query({ id })).items).toEqual([]);
  const ownersId = await uploaded(app, practice, "First name,Surname\nSomeone,Else\n");
  await expect(staff.api.imports.get.query({ id: ownersId })).rejects.toThrow("Import not found");
  expect((await staff.api.imports.list.query({})).items.map((one) => one.id)).toEqual([id]);
});

test("imports: staff who may export but not change clients, then they are refused", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "data.export"] });
  const id = await uploaded(app, staff, LIST);
  await setPermissions(practice, staff, ["clients.read", "data.export"]);
  expect((await upload(app, staff, LIST)).status).toBe(403);
  await expect(checked(staff.api, id)).rejects.toThrow("You do not have permission");
  await expect(staff.api.imports.discard.mutate({ id })).rejects.toThrow("You do not have permission");
});

test("imports: a step that is not possible now, then the refusal says which are", async () => {
  const { api, ...practice } = await aPractice(app);
  const { id } = await imported(app, { ...practice, api }, LIST);
  await expect(api.imports.start.mutate({ id })).rejects.toThrow("This import is done. You can undo it.");
  await expect(api.imports.discard.mutate({ id })).rejects.toThrow("This import is done. You can undo it.");
  await expect(api.imports.cancel.mutate({ id })).rejects.toThrow("This import is done. You can undo it.");
});

test("imports.discard: a file of which nothing is imported, then nothing of it is kept", async () => {
  const { api, ...practice } = await aPractice(app);
  const id = await uploaded(app, practice, LIST);
  await checked(api, id);
  await api.imports.discard.mutate({ id });
  for (const name of ["imports", "import_chunks", "import_problems"])
    expect(await mongoose.connection.collection(name).countDocuments({ ownerId: practice.ownerId })).toBe(0);
});

test("imports.check: columns that nothing is in or that stand twice, then they are refused beside the columns", async () => {
  const { api, ...practice } = await aPractice(app);
  const id = await uploaded(app, practice, "First name,Surname\nMaya,Ellery\n");
  await expect(checked(api, id, { columns: ["", ""] })).rejects.toThrow("Choose at least one column to import.");
  await expect(checked(api, id, { columns: ["lastName", "lastName"] })).rejects.toThrow(
    "Two columns fill the same field.",
  );
  await expect(checked(api, id, { columns: ["lastName"] })).rejects.toThrow("Say for each column");
});

test("import report: as CSV, then every row that was not imported stands in it and no cell is a formula", async () => {
  const practice = await aPractice(app);
  const { id } = await imported(app, practice, `First name,Surname\n=1+1,Ellery\nMaya,\n`);
  const reply = await fetch(`${app.url}/export/imports/${id}.csv`, { headers: { cookie: practice.cookies() } });
  expect((await reply.text()).split("\r\n")).toEqual([
    "Row,Result,Column,Value,What is wrong and what to do",
    '2,not imported,First name,\'=1+1,"This cell holds a formula. Put its result there instead, as plain text."',
    "3,not imported,Surname,,Enter a last name",
    "",
  ]);
});

test("rows left out: mended and imported again, then the whole list is there and nobody twice", async () => {
  const practice = await aPractice(app);
  const { id } = await imported(
    app,
    practice,
    `First name,Surname,Notes\nOwen,Castell,"a, b"\n=1+1,Ellery,"c, d"\nMaya,,x\n`,
  );
  const address = `${app.url}/export/imports/${id}/rows.csv`;
  const rows = await (await fetch(address, { headers: { cookie: practice.cookies() } })).text();
  expect(rows).toBe(`First name,Surname,Notes\r\n'=1+1,Ellery,"c, d"\r\nMaya,,x\r\n`);
  const mended = rows.replace("'=1+1", "Ife").replace("Maya,,", "Maya,Ellery,");
  expect((await imported(app, practice, mended)).counts).toMatchObject({ imported: 2, bad: 0 });
  expect((await practice.api.clients.list.query({})).total).toBe(3);
});

test("imports.cancel: in the middle, then what is stored stays, and it goes on from there or is undone", async () => {
  const practice = await aPractice(app);
  const before = await dumpOf(practice.ownerId);
  const list = dirtyList(3000);
  const id = await uploaded(app, practice, mixedBytes(list));
  await checked(practice.api, id);
  await practice.api.imports.start.mutate({ id });
  const { done, status } = await practice.api.imports.cancel.mutate({ id });
  expect(status).toBe("cancelled");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopped = await practice.api.imports.get.query({ id });
  expect(stopped).toMatchObject({ status: "cancelled", done });
  expect((await practice.api.clients.list.query({})).total).toBe(stopped.counts.imported);
  await practice.api.imports.start.mutate({ id });
  const whole = await settled(practice.api, id);
  expect(whole.counts).toMatchObject({ ...list.counts, imported: list.counts.ready });
  expect(await toldRows(practice.api, id)).toEqual(list.told);
  await practice.api.imports.undo.mutate({ id, keepsChanged: false });
  await settled(practice.api, id);
  expect(await dumpOf(practice.ownerId)).toEqual(before);
});

test("imports.cancel: a check, then it waits for its columns again", async () => {
  const practice = await aPractice(app);
  const id = await uploaded(app, practice, mixedBytes(dirtyList(3000)));
  const { columns, duplicates, dateOrder } = await practice.api.imports.get.query({ id });
  await practice.api.imports.check.mutate({ id, columns, duplicates, dateOrder });
  expect(await practice.api.imports.cancel.mutate({ id })).toMatchObject({ status: "mapping" });
});

test("imports.start: contacts, then their roles are known and twins are left out", async () => {
  const practice = await aPractice(app);
  const list = [
    "Role,Name,Firm,Email,Notes",
    "Solicitor,Helena Vaskovic,Moss & Dace,helena@example.org,Prefers email",
    "solicitor; expert,Petr Strand,Moss & Dace,office@example.org,",
    "Interpreter,Arun Kessler,,office@example.org,",
    "Barrister,Sian Thorne,,,",
    ",Helena Vaskovic,Moss & Dace,,",
    "Other,,,nobody@example.org,",
  ].join("\n");
  const { id, counts } = await imported(app, practice, list, { kind: "contacts" });
  expect(counts).toMatchObject({ imported: 3, duplicates: 1, bad: 2 });
  const { items } = await practice.api.imports.listProblems.query({ id });
  expect(items.map(({ row, message }) => [row, message])).toEqual([
    [
      5,
      "Write one of: Solicitor, Counsel, Social worker, Referrer, Employer’s HR, Interpreter, Expert, Supporter or IDVA, Litigation friend, deputy or attorney, Intermediary, Professional practice consultant, Other.",
    ],
    [6, "Row 2 has the same name and organisation."],
    [7, "Enter a last name or an organisation"],
  ]);
  const contacts = await practice.api.contacts.list.query({});
  expect(contacts.items.map((contact) => [contact.displayName, contact.roles])).toEqual(
    expect.arrayContaining([["Petr Strand", ["solicitor", "expert"]]]),
  );
  await practice.api.imports.undo.mutate({ id, keepsChanged: false });
  await settled(practice.api, id);
  expect((await practice.api.contacts.list.query({})).total).toBe(0);
});

test("imports.check: cases whose parties or mediators are not known, then each is told what to do", async () => {
  const practice = await aPractice(app);
  const { first, theCase } = await aCase(practice);
  await practice.api.clients.create.mutate(aClient({ email: "" }));
  await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const list = [
    "Reference,Party 1,Party 2,Mediator,Status,Type",
    `B-1,${first.email},,Ines Marchbank,In mediation,Family`,
    "B-2,nobody@example.org,,,,",
    "B-3,Maya Ellery,,,,",
    `B-4,${first.email},${first.displayName},,,`,
    `B-5,${first.email},,Hugh Nobody,,`,
    `B-6,,,,,`,
    `B-7,${first.email},,,Sleeping,`,
    `${theCase.caseRef},${first.email},,,,`,
    `B-1,${first.email},,,,`,
    `B/§,${first.email},,,,`,
  ].join("\n");
  const id = await uploaded(app, practice, list, { kind: "cases" });
  expect((await checked(practice.api, id)).counts).toMatchObject({ ready: 1, duplicates: 2, bad: 7 });
  const { items } = await practice.api.imports.listProblems.query({ id });
  expect(items.map(({ row, message }) => [row, message.split(".")[0]])).toEqual([
    [3, "There is no client nobody@example"],
    [4, "More than one client is Maya Ellery"],
    [5, "Two parties of a case cannot be the same client"],
    [6, "Nobody of the practice is called Hugh Nobody"],
    [7, "Write the email address or the name of at least one party"],
    [
      8,
      "Write one of: Enquiry, Intake, Awaiting other participant, Assessing, Ready, In mediation, Paused, Concluded, Closed, Not proceeding, Ended without agreement",
    ],
    [9, "A case of the practice has the same reference"],
    [10, "Row 2 has the same reference"],
    [11, "Use letters, digits and / "],
  ]);
});

test("imports.check: meetings at a time that the clock skips or shows twice, then the first is left out and the second told", async () => {
  const practice = await aPractice(app);
  const list = [
    "Type,Date,Start,End,Title",
    "Call,29/03/2026,01:30,02:30,starts in what is skipped",
    "Call,29/03/2026,00:30,01:30,ends in what is skipped",
    "Call,29/03/2026,00:45,02:30,over what is skipped",
    "Call,25/10/2026,01:30,02:30,starts in what comes twice",
    "Call,25/10/2026,00:15,01:15,ends in what comes twice",
    "Call,25/10/2026,00:45,02:00,over what comes twice",
    "Call,28/03/2026,01:30,02:30,the day before",
  ].join("\n");
  const { id, counts } = await imported(app, practice, list, { kind: "meetings" });
  expect(counts).toMatchObject({ imported: 5, duplicates: 0, bad: 2 });
  const { items } = await practice.api.imports.listProblems.query({ id });
  const skipped = (time: string) =>
    `There is no 01:30 on 29 March 2026 in Europe/London: the clocks go forward. Write the time that was meant, such as ${time}.`;
  const twice = (time: string) =>
    `${time} comes twice on 25 October 2026 in Europe/London, because the clocks go back. The first is taken. Move the meeting if it was the second.`;
  expect(items.map(({ row, kind, column, value, message }) => [row, kind, column, value, message])).toEqual([
    [2, "bad", "Start", "01:30", skipped("02:30")],
    [3, "bad", "End", "01:30", skipped("02:30")],
    [5, "note", "Start", "01:30", twice("01:30")],
    [6, "note", "End", "01:15", twice("01:15")],
  ]);
  const { meetings } = await practice.api.meetings.calendar.query({
    from: "2026-03-01T00:00:00.000Z",
    to: "2026-04-01T00:00:00.000Z",
  });
  const later = await practice.api.meetings.calendar.query({
    from: "2026-10-20T00:00:00.000Z",
    to: "2026-10-30T00:00:00.000Z",
  });
  const shown = [...meetings, ...later.meetings].map(({ startsAt, endsAt }) => [startsAt, endsAt]);
  expect(shown).toEqual([
    ["2026-03-28T01:30:00.000Z", "2026-03-28T02:30:00.000Z"],
    ["2026-03-29T00:45:00.000Z", "2026-03-29T01:30:00.000Z"],
    ["2026-10-24T23:15:00.000Z", "2026-10-25T00:15:00.000Z"],
    ["2026-10-24T23:45:00.000Z", "2026-10-25T02:00:00.000Z"],
    ["2026-10-25T00:30:00.000Z", "2026-10-25T02:30:00.000Z"],
  ]);
  const rows = await fetch(`${app.url}/export/imports/${id}/rows.csv`, { headers: { cookie: practice.cookies() } });
  expect(
    (await rows.text())
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",").at(-1)),
  ).toEqual(["starts in what is skipped", "ends in what is skipped"]);
});

test("imports.check: a row that is like one that was left out as bad, then it is taken", async () => {
  const practice = await aPractice(app);
  const list = [
    "Type,Date,Start,End,Title",
    "Call,28/03/2027,00:30,01:30,ends in what is skipped",
    "Call,28/03/2027,00:30,02:30,mended",
  ].join("\n");
  const { counts } = await imported(app, practice, list, { kind: "meetings" });
  expect(counts).toMatchObject({ imported: 1, duplicates: 0, bad: 1 });
});

test("imports.check: meetings with times, people or cases that do not fit, then each is told what to do", async () => {
  const practice = await aPractice(app);
  const { first, second, theCase } = await aCase(practice);
  const list = [
    "Type,Date,Start,End,Case,Client",
    `Mediation,04/03/2031,9.30am,11am,${theCase.caseRef},`,
    `MIAM,04/03/2031,12:00,13:00,${theCase.caseRef},`,
    `MIAM,04/03/2031,12:00,13:00,${theCase.caseRef},${first.email}`,
    "Call,04/03/2031,14:00,13:00,,",
    "Call,04/03/2031,25:00,,,",
    "Call,,09:00,,,",
    "Call,04/03/2031,09:00,,Z-1,",
    `Call,04/03/2031,15:00,,,${second.email}`,
    `Call,04/03/2031,15:00,,,${second.email}`,
  ].join("\n");
  const { id, counts } = await imported(app, practice, list, { kind: "meetings" });
  expect(counts).toMatchObject({ imported: 3, duplicates: 1, bad: 5 });
  const { items } = await practice.api.imports.listProblems.query({ id });
  expect(items.map(({ row, message }) => [row, message])).toEqual([
    [3, "An assessment meeting is held with each party apart. Name one of them."],
    [5, "The end must be after the start"],
    [6, "Write the time as 09:30."],
    [7, "Write the day, such as 12/04/2026."],
    [8, "There is no case Z-1. Import the cases first, or correct the reference."],
    [10, "Row 9 has the same time, type and people."],
  ]);
  const { meetings } = await practice.api.meetings.calendar.query({
    from: "2031-03-04T00:00:00.000Z",
    to: "2031-03-05T00:00:00.000Z",
  });
  expect(
    meetings.map(({ type, startsAt, endsAt, people, status }) => [type, startsAt, endsAt, people.length, status]),
  ).toEqual([
    ["mediation", "2031-03-04T09:30:00.000Z", "2031-03-04T11:00:00.000Z", 2, "booked"],
    ["miam", "2031-03-04T12:00:00.000Z", "2031-03-04T13:00:00.000Z", 1, "booked"],
    ["call", "2031-03-04T15:00:00.000Z", "2031-03-04T16:00:00.000Z", 1, "booked"],
  ]);
});
