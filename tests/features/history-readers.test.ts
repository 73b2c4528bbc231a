// S72: the history tells nobody of what they may not see any more.
import { newId } from "@app/server/core/ids";
import type { StoredFile } from "@app/shared/files";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let staff: TestPerson;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  staff = await aStaffUser(app, practice, { permissions: ["clients.read", "documents.manage", "clients.write"] });
});

type Built = Awaited<ReturnType<typeof aCase>>;

async function keepFile({ theCase }: Built, visibility: Visibility, name: string): Promise<StoredFile> {
  const input = { id: newId(), name, clientId: null, caseId: theCase.id, visibility };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: newId(),
  });
  expect(response.status).toBe(201);
  return response.json();
}

const keepNote = ({ theCase }: Built, visibility: Visibility) =>
  practice.api.notes.create.mutate({
    id: newId(),
    caseId: theCase.id,
    clientId: null,
    kind: "file_note",
    visibility,
    body: richTextOf("Words"),
  });

const linesFor = async ({ api }: Pick<TestPerson, "api">, { theCase }: Built, kind: "file" | "note" | "task") =>
  (await api.timeline.list.query({ caseId: theCase.id, page: 1, kind })).items.map(({ text }) => text);

const narrowings = ({ p1 }: Built): [Visibility, Visibility][] => [
  [PRACTICE_ONLY, MEDIATOR_ONLY],
  [SHARED, MEDIATOR_ONLY],
  [caucusOf(p1.partyId), { ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] }],
  [forParty(p1.partyId), caucusOf(p1.partyId)],
];

test("S72: timeline.list: when a file is shown to fewer, then its lines are too, and no others", async () => {
  const built = await aCase(practice);
  for (const [index, [before, after]] of narrowings(built).entries()) {
    const name = `narrowed${index}.txt`;
    const { id } = await keepFile(built, before, name);
    await practice.api.files.remove.mutate({ ids: [id] });
    await practice.api.files.restore.mutate({ ids: [id] });
    await keepFile(built, PRACTICE_ONLY, `open${index}.txt`);
    const all = await linesFor(practice, built, "file");
    const { items } = await practice.api.files.list.query({ clientId: built.first.id });
    const version = items.find((file) => file.id === id)?.version ?? 0;
    await practice.api.files.update.mutate({ id, version, name, tags: [], visibility: after });
    expect((await linesFor(staff, built, "file")).join()).not.toContain(name);
    expect(await linesFor(staff, built, "file")).toContain(`File added: open${index}.txt`);
    expect(await linesFor(practice, built, "file")).toEqual(all);
  }
});

test("S72: timeline.list: when a note is shown to fewer, then its lines are too, and no others", async () => {
  for (const place of [0, 1, 2, 3]) {
    const built = await aCase(practice);
    const [before, after] = narrowings(built)[place] ?? [];
    if (!before || !after) throw new Error("there is no such narrowing");
    const { id, version } = await keepNote(built, before);
    await keepNote(built, PRACTICE_ONLY);
    const all = await linesFor(practice, built, "note");
    expect(all).toHaveLength(2);
    await practice.api.notes.update.mutate({ id, version, saveId: newId(), visibility: after });
    expect(await refusal(staff.api.notes.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await linesFor(staff, built, "note")).toHaveLength(1);
    expect(await linesFor(practice, built, "note")).toEqual(all);
  }
});

test("S72: timeline.list: when a change of a file is refused, then its lines stay as they were", async () => {
  const built = await aCase(practice);
  const { id, version } = await keepFile(built, MEDIATOR_ONLY, "hidden.txt");
  const wider = { id, version, name: "hidden.txt", tags: [], visibility: PRACTICE_ONLY };
  expect((await refusal(practice.api.files.update.mutate(wider))).fields).toHaveProperty("visibility");
  const stale = { ...wider, version: version + 1, visibility: MEDIATOR_ONLY };
  expect(await refusal(practice.api.files.update.mutate(stale))).toMatchObject({ code: "CONFLICT" });
  expect(await linesFor(staff, built, "file")).toEqual([]);
});

test("timeline.list: a line of before, when a file is shown to fewer, then stays as it is", async () => {
  const built = await aCase(practice);
  const { id, version } = await keepFile(built, PRACTICE_ONLY, "old.txt");
  await mongoose.connection.collection("history").updateMany({ subjectId: id }, { $unset: { subjectId: "" } });
  await practice.api.files.update.mutate({ id, version, name: "old.txt", tags: [], visibility: MEDIATOR_ONLY });
  expect(await linesFor(staff, built, "file")).toEqual(["File added: old.txt"]);
});

test("S70: timeline.list: whoever sees only their own tasks, when others have some in their case, then reads of none", async () => {
  const person = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
  const staffId = (await person.api.auth.status.query()).user?.userId ?? "";
  const built = await aCase(practice, { staffIds: [staffId] });
  const task = { id: newId(), title: "Ask the police", dueOn: null, caseId: built.theCase.id, clientId: null };
  await practice.api.tasks.create.mutate({ ...task, assigneeId: practice.ownerId });
  expect((await person.api.tasks.list.query({ caseId: built.theCase.id })).items).toEqual([]);
  expect(await linesFor(person, built, "task")).toEqual([]);
  for (const place of [{ caseId: built.theCase.id }, { clientId: built.first.id }]) {
    const { items } = await person.api.timeline.list.query({ ...place, page: 1 });
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toContain("Ask the police");
  }
  expect(await linesFor(staff, built, "task")).toEqual(["Task added: Ask the police"]);
});
