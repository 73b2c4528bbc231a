// A client in more cases than anybody has in view: nothing of the older ones is left out without a word.
import { newId } from "@app/server/core/ids";
import { createCases } from "@app/server/features/cases/cases.service";
import { createCaseSchema } from "@app/shared/cases";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeAll, expect, test, vi } from "vitest";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aCaseInput, aClient, aPractice, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const CASES = 103;

let clientId: string;
/** The oldest first. */
let cases: { id: string; caseRef: string }[];
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  clientId = (await practice.api.clients.create.mutate(aClient({ firstName: "Priya", lastName: "Nandakumar" }))).id;
  cases = await casesOf(clientId, CASES);
  const stored = mongoose.connection.collection<{ _id: string; createdAt: Date }>("cases");
  const at = (index: number) => new Date(Date.now() - (CASES - index) * 60_000);
  await stored.bulkWrite(
    cases.map(({ id }, index) => ({
      updateOne: { filter: { _id: id }, update: { $set: { createdAt: at(index) } } },
    })),
  );
});

function casesOf(id: string, howMany: number) {
  const { id: _id, ...input } = aCaseInput([id]);
  const inputs = Array.from({ length: howMany }, () => createCaseSchema.parse(input));
  return createCases(scopeOf(practice.ownerId), inputs);
}

/** Drawn when the workers have room: on a busy machine they ask to come again. */
const recordOf = (which = "") =>
  vi.waitFor(() => pdfText(app, practice, `/export/clients/${clientId}.pdf${which}`), {
    timeout: 50_000,
    interval: 500,
  });

const oldest = () => cases[0] ?? { id: "", caseRef: "" };

test("cases.ofClient: a client in 103 cases, when they are asked for, then all of them stand there, the newest first", async () => {
  const { items } = await practice.api.cases.ofClient.query({ id: clientId });
  expect(items.map(({ id }) => id)).toEqual(cases.map(({ id }) => id).toReversed());
});

test("files.list: a file in the oldest of 103 cases, when the client’s files are listed, then it is among them and counted", async () => {
  const upload = { id: newId(), name: "oldest.txt", clientId: null, caseId: oldest().id, visibility: PRACTICE_ONLY };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(upload))}`, {
    method: "POST",
    body: "kept",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
  });
  expect(response.ok).toBe(true);
  const { items, total, isTotalExact } = await practice.api.files.list.query({ clientId, search: "", page: 1 });
  expect({ names: items.map(({ name }) => name), total, isTotalExact }).toEqual({
    names: ["oldest.txt"],
    total: 1,
    isTotalExact: true,
  });
});

test("timeline.list: 103 cases, when what happened is counted, then the opening of each counts", async () => {
  const { total } = await practice.api.timeline.list.query({ clientId, kind: "case", page: 1 });
  expect(total).toBe(CASES);
});

test("tasks: a client whose one case is older than 200 of others, when their cases are asked for, then it is found", async () => {
  const old = await practice.api.clients.create.mutate(aClient({ firstName: "Owen", lastName: "Castell" }));
  const own = await practice.api.casework.create.mutate(aCaseInput([old.id]));
  const busy = await practice.api.clients.create.mutate(aClient({ firstName: "Maya", lastName: "Ellery" }));
  await casesOf(busy.id, 201);
  const { items } = await practice.api.tasks.nextOfClients.query({ clientIds: [busy.id, old.id] });
  expect(items.find((one) => one.clientId === old.id)?.theCase.id).toBe(own.id);
});

test("GET /export/clients/:id.pdf: a client in 103 cases, when their record is made, then it says that it holds the newest 30", async () => {
  const record = await recordOf();
  expect(record).toContain("it shows only the newest 30 of your 103 cases");
  expect(record).toContain(cases.at(-1)?.caseRef.toLowerCase());
  expect(record).not.toContain(oldest().caseRef.toLowerCase());
}, 60_000);

test("GET /export/clients/:id.pdf: the oldest of 103 cases, when its own record is made, then it is that case’s, and of no case it is missing", async () => {
  const one = await recordOf(`?case=${oldest().id}`);
  expect(one).toContain(`case ${oldest().caseRef.toLowerCase()}`);
  const other = await practice.api.clients.create.mutate(aClient({ firstName: "Owen", lastName: "Castell" }));
  const { id: foreign } = await practice.api.casework.create.mutate(aCaseInput([other.id]));
  for (const caseId of [foreign, newId()])
    await expect(pdfText(app, practice, `/export/clients/${clientId}.pdf?case=${caseId}`)).rejects.toThrow("404");
}, 60_000);
