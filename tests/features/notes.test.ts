import { newId } from "@app/server/core/ids";
import { openFor } from "@app/server/features/visibility/for-party.service";
import { sessionNotesForParty } from "@app/server/features/notes/party-notes.service";
import type { CreateNote } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import {
  caucusOf,
  forParty,
  isNoWider,
  MEDIATOR_ONLY,
  mayPartyRead,
  mayStaffRead,
  NO_TIMES,
  PRACTICE_ONLY,
  SHARED,
  type Visibility,
  visibilitySchema,
} from "@app/shared/visibility";
import fc from "fast-check";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aCase, aPractice, aStaffUser, scopeOf, type Sent, type TestPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const MINUTE_MS = 60_000;

const aNote = (overrides: Partial<Sent<CreateNote>> = {}): Sent<CreateNote> => ({
  id: newId(),
  caseId: null,
  clientId: null,
  kind: "file_note",
  visibility: PRACTICE_ONLY,
  body: richTextOf("The lender asked for the valuation"),
  ...overrides,
});

async function aCaseWithNotes(practice: TestPractice) {
  const { theCase, p1, p2, first } = await aCase(practice);
  const write = (text: string, visibility: Visibility, kind: CreateNote["kind"] = "file_note") =>
    practice.api.notes.create.mutate(aNote({ caseId: theCase.id, kind, visibility, body: richTextOf(text) }));
  return { theCase, p1, p2, first, write };
}

const wordsOf = (list: { items: { body: { content?: unknown } }[] }) => JSON.stringify(list.items);

test("notes.list: each role reads what the guard lets it read, and no other word leaves the server", async () => {
  const practice = await aPractice(app);
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const { items } = await practice.api.staff.list.query();
  const userId = items.find(({ email }) => email === mediator.email)?.id ?? "";
  const { theCase, p1 } = await aCase(practice, { mediators: [{ userId, isLead: true }] });
  const create = (text: string, visibility: Visibility) =>
    practice.api.notes.create.mutate(aNote({ caseId: theCase.id, visibility, body: richTextOf(text) }));
  await create("alderteam", PRACTICE_ONLY);
  await create("birchmediator", MEDIATOR_ONLY);
  await create("cedarcaucus", caucusOf(p1.partyId));
  await create("doverparty", forParty(p1.partyId));
  await create("elmshared", SHARED);
  const read = async (person: Pick<TestPractice, "api">) => {
    const list = await person.api.notes.list.query({ caseId: theCase.id });
    const found = ["alderteam", "birchmediator", "cedarcaucus", "doverparty", "elmshared"].filter((word) =>
      wordsOf(list).includes(word),
    );
    return { total: list.total, found };
  };
  const all = ["alderteam", "birchmediator", "cedarcaucus", "doverparty", "elmshared"];
  expect(await read(practice)).toEqual({ total: 5, found: all });
  expect(await read(mediator)).toEqual({ total: 5, found: all });
  expect(await read(caseworker)).toEqual({ total: 3, found: ["alderteam", "doverparty", "elmshared"] });
});

test("notes.get: a note that the reader may not read looks missing, in every call that names it", async () => {
  const practice = await aPractice(app);
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const { p1, write } = await aCaseWithNotes(practice);
  const { id } = await write("Kept from the team", caucusOf(p1.partyId), "caucus");
  const calls = [
    caseworker.api.notes.get.query({ id }),
    caseworker.api.notes.update.mutate({ id, version: 0, saveId: "s", body: richTextOf("x") }),
    caseworker.api.notes.remove.mutate({ id }),
    caseworker.api.notes.restore.mutate({ id }),
    caseworker.api.notes.listVersions.query({ id }),
    caseworker.api.notes.restoreVersion.mutate({ id, version: 0, restored: 0, saveId: "s" }),
  ];
  const refusals = await Promise.all(calls.map(refusal));
  expect(refusals.map(({ code }) => code)).toEqual(calls.map(() => "NOT_FOUND"));
});

test("notes.list: staff who see only their own cases reach no note of another", async () => {
  const practice = await aPractice(app);
  const { theCase, write } = await aCaseWithNotes(practice);
  const { id } = await write("Elsewhere", SHARED);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "assigned_only"] });
  expect((await refusal(staff.api.notes.list.query({ caseId: theCase.id }))).code).toBe("NOT_FOUND");
  expect((await refusal(staff.api.notes.get.query({ id }))).code).toBe("NOT_FOUND");
});

test("notes.list: by client holds the notes that belong to no case, and those of the case that is named", async () => {
  const practice = await aPractice(app);
  const { theCase, first, write } = await aCaseWithNotes(practice);
  await write("in the case", PRACTICE_ONLY);
  await practice.api.notes.create.mutate(aNote({ clientId: first.id, body: richTextOf("on the client") }));
  const byClient = await practice.api.notes.list.query({ clientId: first.id });
  const both = await practice.api.notes.list.query({ clientId: first.id, caseId: theCase.id });
  expect(byClient.total).toBe(1);
  expect(both.total).toBe(2);
  expect(both.items.map(({ caseId }) => caseId)).toEqual([null, theCase.id]);
});

test("notes.list: finds words in any order and case, takes them as they stand, and pages the rest", async () => {
  const practice = await aPractice(app);
  const { theCase, write } = await aCaseWithNotes(practice);
  await write("Valuation of the café on Friday", PRACTICE_ONLY);
  for (let index = 0; index < 21; index += 1) await write(`Call ${index}`, PRACTICE_ONLY);
  const list = (search: string, page = 1) => practice.api.notes.list.query({ caseId: theCase.id, search, page });
  expect((await list("friday CAFE")).total).toBe(1);
  expect((await list(".*")).total).toBe(0);
  expect((await list("", 1)).items).toHaveLength(20);
  expect((await list("", 2)).items.map(({ id }) => id)).not.toContain((await list("", 1)).items[0]?.id);
  expect((await list("", 2)).total).toBe(22);
});

test("notes.list: a pinned note stands first, whatever its age", async () => {
  const practice = await aPractice(app);
  const { theCase, write } = await aCaseWithNotes(practice);
  const old = await write("old", PRACTICE_ONLY);
  await write("new", PRACTICE_ONLY);
  await practice.api.notes.update.mutate({ id: old.id, version: 0, saveId: newId(), isPinned: true });
  const { items } = await practice.api.notes.list.query({ caseId: theCase.id });
  expect(items[0]).toMatchObject({ id: old.id, isPinned: true });
});

test("notes.create: the same note sent ten times at once is stored once, with one line of history", async () => {
  const practice = await aPractice(app);
  const { theCase } = await aCaseWithNotes(practice);
  const note = aNote({ caseId: theCase.id });
  const sent = await Promise.all(Array.from({ length: 10 }, () => practice.api.notes.create.mutate(note)));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect((await practice.api.notes.list.query({ caseId: theCase.id })).total).toBe(1);
  const history = await practice.api.timeline.list.query({ caseId: theCase.id, kind: "note" });
  expect(history.items.map(({ text }) => text)).toEqual(["File note added"]);
});

test("notes.create: an id that another practice uses says nothing of its note, and is free here", async () => {
  const [one, other] = [await aPractice(app), await aPractice(app)];
  const taken = await (await aCaseWithNotes(one)).write("Not yours", PRACTICE_ONLY);
  const { theCase } = await aCaseWithNotes(other);
  const made = await other.api.notes.create.mutate(aNote({ id: taken.id, caseId: theCase.id }));
  expect(made.id).not.toBe(taken.id);
  expect(JSON.stringify(made)).not.toContain("Not yours");
});

test.each<[string, (partyId: string) => Partial<CreateNote>]>([
  ["a caucus of nobody", () => ({ kind: "caucus" })],
  ["a private note for the team", () => ({ kind: "private" })],
  ["a party of another case", () => ({ visibility: caucusOf("somebody-else") })],
  ["a confidence that is shared", (id) => ({ visibility: { ...SHARED, aboutPartyIds: [id] } })],
  ["one party's words for another", (id) => ({ visibility: { ...forParty("other"), aboutPartyIds: [id] } })],
])("notes.create: %s is refused and stores nothing", async (_what, overrides) => {
  const practice = await aPractice(app);
  const { theCase, p1 } = await aCaseWithNotes(practice);
  const note = aNote({ caseId: theCase.id, ...overrides(p1.partyId) });
  expect((await refusal(practice.api.notes.create.mutate(note))).code).toBe("BAD_REQUEST");
  expect((await practice.api.notes.list.query({ caseId: theCase.id })).total).toBe(0);
});

test("notes.create: nobody writes what they could not read themselves", async () => {
  const practice = await aPractice(app);
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const { theCase } = await aCaseWithNotes(practice);
  const note = aNote({ caseId: theCase.id, visibility: MEDIATOR_ONLY });
  expect((await refusal(caseworker.api.notes.create.mutate(note))).code).toBe("FORBIDDEN");
});

test("notes.update: of two who save the same version, the second is refused without the newer text, and nothing is lost", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  const { write } = await aCaseWithNotes(practice);
  const { id } = await write("first text", PRACTICE_ONLY);
  const theirs = await staff.api.notes.update.mutate({ id, version: 0, saveId: newId(), body: richTextOf("theirs") });
  const mine = { id, version: 0, saveId: newId(), body: richTextOf("mine") };
  const refused = await refusal(practice.api.notes.update.mutate(mine));
  expect(theirs).toMatchObject({ version: 1 });
  expect(refused).toMatchObject({ code: "CONFLICT", isStale: true });
  expect(JSON.stringify(refused)).not.toContain("theirs");
  expect(JSON.stringify(await practice.api.notes.get.query({ id }))).toContain("theirs");
  const versions = await practice.api.notes.listVersions.query({ id });
  expect(JSON.stringify(versions.items)).toContain("first text");
});

test("notes.update: a save whose answer was lost can be sent again and is no conflict", async () => {
  const practice = await aPractice(app);
  const { write } = await aCaseWithNotes(practice);
  const { id } = await write("draft", PRACTICE_ONLY);
  const save = { id, version: 0, saveId: newId(), body: richTextOf("typed on") };
  expect(await practice.api.notes.update.mutate(save)).toMatchObject({ version: 1 });
  expect(await practice.api.notes.update.mutate(save)).toMatchObject({ version: 1 });
  const other = practice.api.notes.update.mutate({ ...save, body: richTextOf("typed otherwise") });
  expect(await refusal(other)).toMatchObject({ code: "CONFLICT", isStale: true });
});

test("notes.update: of 20 saves of one version at once exactly one is kept", async () => {
  const practice = await aPractice(app);
  const { write } = await aCaseWithNotes(practice);
  const { id } = await write("draft", PRACTICE_ONLY);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      practice.api.notes.update.mutate({ id, version: 0, saveId: newId(), body: richTextOf(`text ${index}`) }),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("notes.update: a version is kept after five minutes or by another person, and not for each save between", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  const { write } = await aCaseWithNotes(practice);
  const { id } = await write("one", PRACTICE_ONLY);
  const save = (person: Pick<TestPractice, "api">, version: number, text: string) =>
    person.api.notes.update.mutate({ id, version, saveId: newId(), body: richTextOf(text) });
  await save(practice, 0, "two");
  expect((await practice.api.notes.listVersions.query({ id })).total).toBe(0);
  moveTime(6 * MINUTE_MS);
  await save(practice, 1, "three");
  await save(staff, 2, "four");
  const { items } = await practice.api.notes.listVersions.query({ id });
  expect(items.map(({ version, savedByName }) => [version, savedByName])).toEqual([
    [2, "Ines Marchbank"],
    [1, "Ines Marchbank"],
  ]);
  expect(items.map(({ body }) => JSON.stringify(body))).toEqual([
    expect.stringContaining("three"),
    expect.stringContaining("two"),
  ]);
});

test("notes.restoreVersion: an earlier text comes back, the present one becomes a version, the readers stay", async () => {
  const practice = await aPractice(app);
  const { p1, write } = await aCaseWithNotes(practice);
  const { id } = await write("early", caucusOf(p1.partyId), "caucus");
  moveTime(6 * MINUTE_MS);
  await practice.api.notes.update.mutate({ id, version: 0, saveId: newId(), body: richTextOf("late") });
  const narrowed = { ...caucusOf(p1.partyId), scope: "mediator" as const };
  await practice.api.notes.update.mutate({ id, version: 1, saveId: newId(), visibility: narrowed });
  const result = await practice.api.notes.restoreVersion.mutate({ id, version: 2, restored: 0, saveId: newId() });
  expect(result).toMatchObject({ version: 3, visibility: narrowed });
  expect(JSON.stringify(result)).toContain("early");
  expect(JSON.stringify((await practice.api.notes.listVersions.query({ id })).items)).toContain("late");
  const again = practice.api.notes.restoreVersion.mutate({ id, version: 2, restored: 0, saveId: newId() });
  expect(await refusal(again)).toMatchObject({ isStale: true });
});

test("notes.remove: a deleted note is gone from the list and from search, and Undo brings it back whole", async () => {
  const practice = await aPractice(app);
  const { theCase, write } = await aCaseWithNotes(practice);
  const { id } = await write("valuable words", SHARED);
  await practice.api.notes.remove.mutate({ id });
  expect((await practice.api.notes.list.query({ caseId: theCase.id, search: "valuable" })).total).toBe(0);
  expect((await refusal(practice.api.notes.get.query({ id }))).code).toBe("NOT_FOUND");
  const edit = practice.api.notes.update.mutate({ id, version: 0, saveId: "s", body: richTextOf("x") });
  expect((await refusal(edit)).code).toBe("PRECONDITION_FAILED");
  await practice.api.notes.restore.mutate({ id });
  expect(await practice.api.notes.get.query({ id })).toMatchObject({ id, visibility: SHARED });
});

const aVisibility = fc
  .record({
    scope: fc.constantFrom("mediator", "staff", "party", "shared"),
    partyIds: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    aboutPartyIds: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
  })
  .filter((visibility) => visibilitySchema.safeParse(visibility).success)
  .map((visibility) => visibilitySchema.parse(visibility));

test("isNoWider: whatever is allowed as narrower shows the note to nobody who could not read it before", () => {
  const staff = fc.record({ isOwner: fc.boolean(), isMediator: fc.boolean(), mayReadPrivate: fc.boolean() });
  fc.assert(
    fc.property(aVisibility, aVisibility, staff, fc.constantFrom("a", "b", "c"), (before, after, reader, partyId) => {
      if (!isNoWider(before, after)) return;
      const party = { partyId, joinedAt: null, leftAt: null, absences: [] };
      const isRead = (visibility: Visibility) => mayPartyRead({ visibility, ...NO_TIMES }, party);
      if (isRead(after)) expect(isRead(before)).toBe(true);
      if (mayStaffRead(after, reader)) expect(mayStaffRead(before, reader)).toBe(true);
      expect(new Set(after.aboutPartyIds)).toEqual(new Set(before.aboutPartyIds));
    }),
    { numRuns: 2000 },
  );
});

test("notes.update: who may read a note shrinks and never grows, and its confidence stays whose it was", async () => {
  const practice = await aPractice(app);
  const { p1, p2, write } = await aCaseWithNotes(practice);
  const { id } = await write("in confidence", caucusOf(p1.partyId), "caucus");
  const change = (visibility: Visibility) =>
    refusal(practice.api.notes.update.mutate({ id, version: 0, saveId: newId(), visibility }));
  for (const wider of [SHARED, forParty(p1.partyId), caucusOf(p2.partyId), PRACTICE_ONLY])
    expect((await change(wider)).fields).toHaveProperty("visibility");
  expect((await practice.api.notes.get.query({ id })).visibility).toEqual(caucusOf(p1.partyId));
});

test("notes.release: with the party's consent it makes a new shared note and leaves the old one untouched", async () => {
  const practice = await aPractice(app);
  const { theCase, p1, p2, write } = await aCaseWithNotes(practice);
  const source = await write("Would sell in spring. Has seen two flats.", caucusOf(p1.partyId), "caucus");
  const consent = { grantedByPartyId: p1.partyId, at: new Date().toISOString(), how: "In the room, read back to her" };
  const release = { id: source.id, newId: newId(), body: richTextOf("Would sell in spring."), consent };
  const released = await practice.api.notes.release.mutate(release);
  expect(await practice.api.notes.release.mutate(release)).toEqual(released);
  expect(released).toMatchObject({ visibility: SHARED, releasedFromId: source.id, consent, partyId: null });
  expect(await practice.api.notes.get.query({ id: source.id })).toEqual(source);
  const { items } = await practice.api.notes.list.query({ caseId: theCase.id });
  const { id, visibility, createdAt, createdByName } = released;
  expect(items.find((each) => each.id === source.id)?.releases).toEqual([{ id, visibility, createdAt, createdByName }]);
  expect(items.find((each) => each.id === id)?.releases).toEqual([]);
  const forOwen = items.filter(({ visibility }) =>
    mayPartyRead({ visibility, ...NO_TIMES }, { ...p2, joinedAt: null, leftAt: null, absences: [] }),
  );
  expect(forOwen.map(({ id }) => id)).toEqual([released.id]);
  expect(JSON.stringify(forOwen)).not.toContain("two flats");
});

test("notes.release: is refused without the party's own consent, from the future, and where nothing is in confidence", async () => {
  const practice = await aPractice(app);
  const { theCase, p1, p2, write } = await aCaseWithNotes(practice);
  const source = await write("secret", caucusOf(p1.partyId), "caucus");
  const open = await write("open", PRACTICE_ONLY);
  const at = new Date().toISOString();
  const release = (id: string, consent: { grantedByPartyId: string; at: string; how: string }) =>
    refusal(practice.api.notes.release.mutate({ id, newId: newId(), body: richTextOf("secret"), consent }));
  const ok = { grantedByPartyId: p1.partyId, at, how: "In the room" };
  expect((await release(source.id, { ...ok, grantedByPartyId: p2.partyId })).code).toBe("BAD_REQUEST");
  expect((await release(source.id, { ...ok, grantedByPartyId: "nobody" })).code).toBe("NOT_FOUND");
  expect((await release(source.id, { ...ok, how: "" })).fields).toHaveProperty("consent.how");
  expect((await release(source.id, { ...ok, at: "2999-01-01T00:00:00.000Z" })).code).toBe("BAD_REQUEST");
  expect((await release(open.id, ok)).code).toBe("PRECONDITION_FAILED");
  expect((await practice.api.notes.list.query({ caseId: theCase.id })).total).toBe(2);
});

test("sessionNotesForParty: the database's filter finds exactly what the guard would show this party", async () => {
  const practice = await aPractice(app);
  const { theCase, p1, p2 } = await aCaseWithNotes(practice);
  const session = await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const visibilities = [PRACTICE_ONLY, MEDIATOR_ONLY, SHARED].concat(
    [p1, p2].flatMap(({ partyId }) => [caucusOf(partyId), forParty(partyId)]),
  );
  for (const visibility of visibilities) {
    const note = { id: newId(), kind: "file_note" as const, visibility, body: richTextOf("words") };
    await practice.api.sessions.addNote.mutate({ sessionId: session.id, note });
  }
  const found = await sessionNotesForParty(scopeOf(practice.ownerId), session.id, { theCase, ...p1 });
  expect(openFor(found, { partyId: p1.partyId }).map(({ visibility }) => visibility)).toEqual([
    SHARED,
    forParty(p1.partyId),
  ]);
});

test.each([
  ["a script", { type: "doc", content: [{ type: "script", text: "alert(1)" }] }],
  [
    "a link that runs",
    {
      type: "doc",
      content: [
        {
          type: "paragraph",
          content: [{ type: "text", text: "x", marks: [{ type: "link", attrs: { href: "javascript:alert(1)" } }] }],
        },
      ],
    },
  ],
  ["an attribute", { type: "doc", content: [{ type: "paragraph", attrs: { onclick: "alert(1)" } }] }],
])("notes.create: %s in the text is refused by the server and stores nothing", async (_what, body) => {
  const practice = await aPractice(app);
  const { theCase } = await aCaseWithNotes(practice);
  const response = await fetch(`${app.url}/trpc/notes.create`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
    body: JSON.stringify({ ...aNote({ caseId: theCase.id }), body }),
  });
  expect(response.status).toBe(400);
  expect((await practice.api.notes.list.query({ caseId: theCase.id })).total).toBe(0);
});

test("notes.get: a text that was put into the database behind our back is not handed to a page", async () => {
  const practice = await aPractice(app);
  const { write } = await aCaseWithNotes(practice);
  const { id } = await write("fine", PRACTICE_ONLY);
  const body = { type: "doc", content: [{ type: "image", attrs: { src: "x" } }] };
  await mongoose.connection.collection<{ _id: string }>("notes").updateOne({ _id: id }, { $set: { body } });
  expect((await refusal(practice.api.notes.get.query({ id }))).code).toBe("INTERNAL_SERVER_ERROR");
});

test("S74 notes.list: a case has more notes than are searched, then the newest are, and the total is said to be of a part", async () => {
  const practice = await aPractice(app);
  const { theCase, write } = await aCaseWithNotes(practice);
  const { id } = await write("the valuation", PRACTICE_ONLY);
  const notes = mongoose.connection.collection<{ _id: string; createdAt: Date }>("notes");
  const old = await notes.findOne({ _id: id });
  if (!old) throw new Error("the note is not stored");
  const later = (seconds: number) => ({
    ...old,
    _id: newId(),
    createdAt: new Date(old.createdAt.getTime() + seconds * 1000),
  });
  await notes.insertMany(Array.from({ length: 999 }, (_, at) => ({ ...later(at + 1), searchText: "the lender" })));
  const found = () => practice.api.notes.list.query({ caseId: theCase.id, search: "valuation" });
  expect(await found()).toMatchObject({ total: 1, isTotalExact: true });
  await notes.insertOne({ ...later(2000) });
  const { items, total, isTotalExact } = await found();
  expect([items.length, total, isTotalExact]).toEqual([1, 1, false]);
  expect(items[0]?.id).not.toBe(id);
});
